# The chart library of the report page as one script: STRUCTHASH_CHARTS_FILE, empty if there is none.
set(STRUCTHASH_CHARTS "" CACHE FILEPATH
    "The chart library as one script; empty: build/charts/charts.js, if scripts/fetch_charts.sh made it")
set(STRUCTHASH_CHARTS_FILE ${STRUCTHASH_CHARTS})
if(NOT STRUCTHASH_CHARTS_FILE)
  set(STRUCTHASH_CHARTS_FILE ${PROJECT_SOURCE_DIR}/build/charts/charts.js)
endif()
if(NOT EXISTS ${STRUCTHASH_CHARTS_FILE})
  message(STATUS "Reports are left out: no ${STRUCTHASH_CHARTS_FILE}; scripts/fetch_charts.sh makes it")
  set(STRUCTHASH_CHARTS_FILE "")
endif()
