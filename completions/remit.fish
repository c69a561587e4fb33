# remit completion for fish. It asks `remit __complete` what may stand at the cursor (decision 0083).

function __remit_complete
    set -l typed (commandline -opc)
    set -l want (commandline -ct)
    set -l before ''
    for line in (command remit __complete -- $typed[2..-1] "$want" 2>/dev/null)
        switch "$line"
            case ':before *'
                set before (string sub -s 9 -- "$line")
            case :nospace
                # fish puts no blank behind = and . by itself.
            case :files
                for path in (__fish_complete_path (string sub -s (math 1 + (string length -- "$before")) -- "$want"))
                    echo -- "$before$path"
                end
            case :programs
                __fish_complete_command
            case '*'
                echo -- "$before$line"
        end
    end
end

complete -c remit -e
complete -c remit -f -k -a '(__remit_complete)'
