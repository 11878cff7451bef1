/* Debian's HDF5 can read from object stores, for which it needs libcurl and libcrypto, and these need thirty more libraries.
   StructHash opens files only. In a wheel these functions, which all fail, take the place of both libraries: what is not there
   cannot open a connection. */
#include <stddef.h>

#ifdef CURL
long curl_global_init(long flags) {
  (void)flags;
  return 2; /* CURLE_FAILED_INIT */
}
void curl_global_cleanup(void) {}
void *curl_easy_init(void) { return NULL; }
void curl_easy_cleanup(void *handle) { (void)handle; }
int curl_easy_perform(void *handle) {
  (void)handle;
  return 2;
}
int curl_easy_setopt(void *handle, int option, ...) {
  (void)handle;
  (void)option;
  return 2;
}
void *curl_slist_append(void *list, const char *text) {
  (void)list;
  (void)text;
  return NULL;
}
void curl_slist_free_all(void *list) { (void)list; }
#else
const void *EVP_sha256(void) { return NULL; }
unsigned char *SHA256(const unsigned char *bytes, size_t count, unsigned char *digest) {
  (void)bytes;
  (void)count;
  (void)digest;
  return NULL;
}
unsigned char *HMAC(const void *kind, const void *key, int key_size, const unsigned char *bytes, size_t count,
                    unsigned char *digest, unsigned int *size) {
  (void)kind;
  (void)key;
  (void)key_size;
  (void)size;
  return SHA256(bytes, count, digest);
}
#endif
