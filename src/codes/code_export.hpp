#pragma once

#include <string>

#include "structhash/codes/code_matrix.hpp"

/// Codes in the forms of other systems (docs/index.md).  Each function appends one code.
namespace structhash {

/// Which bit of a byte comes first: the least significant (StructHash, Faiss) or the most
/// significant (NumPy's packbits, sentence-transformers).
enum class BitOrder { little, big };

/// ceil(bits / 8) bytes; bits after the last one are zero.
void append_bytes(CodeView code, Index bits, BitOrder order, std::string& out);

/// "binary" of sentence-transformers: bytes in `big` order, less 128, as signed numbers.
void append_signed_bytes(CodeView code, Index bits, std::string& out);

/// The bytes as hexadecimal digits, two for each.
void append_hex(CodeView code, Index bits, BitOrder order, std::string& out);

/// One character 0 or 1 for every bit, bit 0 first: the text of PostgreSQL's bit(n).
void append_bit_text(CodeView code, Index bits, std::string& out);

}  // namespace structhash
