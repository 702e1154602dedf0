# scdoc.cmake: cmake -DFOLDER=… -DSCDOC=… -P scdoc.cmake: compiles FOLDER/*.1.scd to FOLDER/*.1.
if(NOT SCDOC)
  return()
endif()
file(GLOB sources "${FOLDER}/*.1.scd")
foreach(source IN LISTS sources)
  string(REGEX REPLACE "\\.scd$" "" page "${source}")
  execute_process(COMMAND "${SCDOC}" INPUT_FILE "${source}" OUTPUT_FILE "${page}"
                  RESULT_VARIABLE result ERROR_VARIABLE message)
  if(NOT result EQUAL 0)
    file(REMOVE "${page}")
    message(FATAL_ERROR "scdoc ${source}: ${message}")
  endif()
endforeach()
