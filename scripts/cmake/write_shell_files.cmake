# SPDX-License-Identifier: Apache-2.0
# Writes what shells and man(1) read of the command line, as the program itself prints it:
#   cmake -D ACCRUE=PROGRAM -D SHARE=PREFIX/share -P write_shell_files.cmake
function(write_output file)
    get_filename_component(folder "${SHARE}/${file}" DIRECTORY)
    file(MAKE_DIRECTORY "${folder}")
    execute_process(COMMAND "${ACCRUE}" ${ARGN} OUTPUT_FILE "${SHARE}/${file}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

write_output(bash-completion/completions/accrue completion bash)
write_output(zsh/site-functions/_accrue completion zsh)
write_output(fish/vendor_completions.d/accrue.fish completion fish)

write_output(man/man1/accrue.1 man)
# The commands are what may follow `accrue man`.
execute_process(COMMAND "${ACCRUE}" completion words -- man "" OUTPUT_VARIABLE words COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\n[a-z-]+\t" commands "${words}")
foreach(command IN LISTS commands)
    string(STRIP "${command}" command)
    write_output(man/man1/accrue-${command}.1 man ${command})
endforeach()
