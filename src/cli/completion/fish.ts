/** The script for fish: one function that prints what may follow, a line each, with descriptions. */
import type { Spec } from './spec.ts';

const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

type Pair = readonly [value: string, about: string];
const line = ([value, about]: Pair): string => (about === '' ? quote(value) : quote(`${value}\t${about}`));

const print = (pairs: readonly Pair[]): string => `printf '%s\\n' ${pairs.map(line).join(' ')}`;

const described = (rows: readonly (readonly [key: string, pairs: readonly Pair[]])[]): string =>
  rows
    .filter(([, pairs]) => pairs.length > 0)
    .map(([key, pairs]) => `        case ${quote(key)}\n            ${print(pairs)}`)
    .join('\n');

/** A star in front stands for any words; a plus behind for all places from there on. */
const patterns = (key: string): string[] => {
  const more = /^(.*) (\d)\+$/.exec(key);
  if (!more) return [quote(key)];
  return Array.from({ length: 9 }, (_, index) => index + 1)
    .filter((place) => place >= Number(more[2]))
    .map((place) => quote(`${more[1]} ${place}`));
};

function sourceCases(sources: Spec['sources']): string {
  const bySource = new Map<string, string[]>();
  for (const [key, source] of sources)
    bySource.set(source, [...(bySource.get(source) ?? []), ...patterns(key)]);
  return [...bySource]
    .map(([source, keys]) => `        case ${keys.join(' ')}\n            echo ${quote(source)}`)
    .join('\n');
}

const pairs = (own: Spec['globals']): Pair[] => own.map(({ name, about }) => [name, about]);

/** How a line is read, and where the values of each place come from: the same whatever the commands are. */
const LOGIC = `function __remit_values # source, what stands before the value, the value so far, profile
    if string match -q -- '=*' "$argv[1]"
        for value in (string split ' ' -- (string sub -s 2 -- "$argv[1]"))
            echo -- "$argv[2]$value"
        end
        return
    end
    for part in (string split ' ' -- "$argv[1]")
        set -l name (string sub -s 2 -- $part)
        switch "$part"
            case '+*'
                for value in (__remit_list $name)
                    echo -- "$argv[2]$value"
                end
            case '@*'
                for value in (command remit __complete $name "$argv[3]" "$argv[4]" 2>/dev/null)
                    echo -- "$argv[2]$value"
                end
            case file
                for value in (__fish_complete_path "$argv[3]")
                    echo -- "$argv[2]$value"
                end
            case atfile
                if string match -q -- '@*' "$argv[3]"
                    for value in (__fish_complete_path (string sub -s 2 -- "$argv[3]"))
                        echo -- "$argv[2]@$value"
                    end
                end
            case program
                __fish_complete_command
        end
    end
end

function __remit_complete
    set -l typed (commandline -opc)
    set -l want (commandline -ct)
    set -l trail ''
    set -l place 1
    set -l first ''
    set -l flag ''
    set -l source ''
    set -l profile ''
    set -l helping ''
    set -l ended ''
    for word in $typed[2..-1]
        if test -n "$source"
            test "$flag" = --profile; and set profile $word
            set source ''
            continue
        end
        switch "$word"
            case --
                set ended 1
            case '--profile=*'
                set profile (string replace -r '^[^=]*=' '' -- $word)
            case '--*=*'
            case '-?*'
                if test -z "$ended"
                    set flag $word
                    set source (__remit_source "$trail $word")
                end
            case '*'
                if test $place = 1; and contains -- $word (__remit_next "$trail" | string replace -r '\\t.*' '')
                    if test -z "$trail" -a "$word" = help
                        set helping 1
                    else
                        set trail (string trim -- "$trail $word")
                    end
                else
                    test $place = 1; and set first $word
                    set place (math $place + 1)
                end
        end
    end
    if test -n "$source"
        __remit_values $source '' "$want" "$profile"
    else if test -z "$ended"; and string match -q -- '--*=*' "$want"
        set -l name (string replace -r '=.*' '' -- $want)
        __remit_values (__remit_source "$trail $name") "$name=" (string replace -r '^[^=]*=' '' -- $want) "$profile"
    else if test -z "$ended"; and string match -q -- '-*' "$want"
        __remit_flags "$trail"
    else
        set -l next
        test $place = 1; and set next (__remit_next "$trail")
        if test -n "$helping" -a -z "$trail"
`;

/** The end of the last function, and how the shell is told of it. */
const REST = `        end
        if test -n "$next[1]"
            printf '%s\\n' $next
        else if test -z "$helping"
            test $place = 1; or set source (__remit_source "$trail $first $place")
            test -n "$source"; or set source (__remit_source "$trail $place")
            __remit_values "$source" '' "$want" "$profile"
        end
    end
end

complete -c remit -e
complete -c remit -f -k -a '(__remit_complete)'
`;

export function fishScript({ words, topics, globals, flags, sources, lists }: Spec): string {
  return `# remit completion for fish. Made by \`remit completion fish\`: words are here, ids and profiles are asked of remit.

function __remit_next
    switch "$argv[1]"
${described(words)}
    end
end

function __remit_flags
    switch "$argv[1]"
${described(flags.map(([name, own]) => [name, pairs(own)]))}
    end
    ${print(pairs(globals))}
end

function __remit_source
    switch "$argv[1]"
${sourceCases(sources)}
    end
end

function __remit_list
    switch "$argv[1]"
${described(lists)}
    end
end

${LOGIC}            set -a next ${topics.map(line).join(' ')}
${REST}`;
}
