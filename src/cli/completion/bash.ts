/** The script for bash, 3.2 (macOS) included: no associative arrays, no mapfile, nothing of bash-completion. */
import type { Spec } from './spec.ts';

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Patterns of `case`: literal text, but for a plus at the end (that place and all after it) and a star in front. */
const pattern = (key: string): string => (key === '' ? "''" : literal(key));

const literal = (key: string): string =>
  key
    .replace(/^(.*) (\d)\+$/, (_, words: string, from: string) => `${words} [${from}-9]*`)
    .replace(/^\* /, '*\\ ')
    .split(/(\*\\ | \[\d-9\]\*)/)
    .map((part) => (part === '' || /^\*|^ \[/.test(part) ? part.replace(/^ \[/, '\\ [') : quote(part)))
    .join('');

/** Keys that mean the same share one line. */
function cases(rows: readonly (readonly [key: string, value: string])[]): string {
  const byValue = new Map<string, string[]>();
  for (const [key, value] of rows) byValue.set(value, [...(byValue.get(value) ?? []), pattern(key)]);
  return [...byValue].map(([value, keys]) => `    ${keys.join('|')}) REPLY=${quote(value)} ;;`).join('\n');
}

const join = (values: readonly string[]): string => values.join(' ');

/** How a line is read, and where the values of each place come from: the same whatever the commands are. */
const LOGIC = `# Words as they were typed up to the cursor: bash splits at = and : too.
_remit_split() {
  local line=\${COMP_LINE:0:COMP_POINT} i word glued
  words=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    glued=1
    while [[ $line == [[:space:]]* ]]; do line=\${line#?} glued=; done
    word=\${COMP_WORDS[i]}
    ((i == COMP_CWORD)) && word=$line
    line=\${line#"$word"}
    if [[ -n $glued && $i -gt 0 ]]; then words[\${#words[@]}-1]+=$word; else words+=("$word"); fi
  done
}

_remit_offer() { # a value that begins as the word does
  [[ -n $1 && $1 == "$want"* ]] && COMPREPLY+=("$before$1")
}

_remit_words() {
  local IFS=' ' value
  for value in $1; do _remit_offer "$value"; done
}

_remit_files() { # $1 stands before the path
  local path
  compopt -o filenames 2>/dev/null
  while IFS= read -r path; do COMPREPLY+=("$before$1$path"); done < <(compgen -f -- "\${want#"$1"}")
}

_remit_values() { # of one source
  local part value IFS=' '
  [[ $1 == =* ]] && _remit_words "\${1#=}" && return
  for part in $1; do
    case $part in
      +*) _remit_list "\${part#+}" && _remit_words "$REPLY" ;;
      @*)
        while IFS= read -r value; do _remit_offer "\${value%%$'\t'*}"; done \
          < <(command remit __complete "\${part#@}" "$want" "$profile" 2>/dev/null)
        ;;
      file) _remit_files '' ;;
      atfile) [[ $want == @* ]] && _remit_files @ ;;
      program) while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -c -- "$want") ;;
    esac
  done
}

_remit() {
  local REPLY i word want before= path= place=1 first= flag= source= profile= helping= ended=
  local -a words
  COMPREPLY=()
  _remit_split
  for ((i = 1; i < \${#words[@]} - 1; i++)); do
    word=\${words[i]}
    if [[ -n $source ]]; then
      [[ $flag == --profile ]] && profile=$word
      source=
      continue
    fi
    case $word in
      --) ended=1 ;;
      --profile=*) profile=\${word#*=} ;;
      --*=*) ;;
      -?*) [[ -n $ended ]] || { flag=$word; _remit_source "$path $word"; source=$REPLY; } ;;
      *)
        _remit_next "$path"
        if [[ $place == 1 && " $REPLY " == *" $word "* ]]; then
          if [[ -z $path && $word == help ]]; then helping=1; else path=\${path:+$path }$word; fi
        else
          [[ $place == 1 ]] && first=$word
          place=$((place + 1))
        fi
        ;;
    esac
  done
  want=\${words[\${#words[@]}-1]}
  if [[ -n $source ]]; then
    _remit_values "$source"
  elif [[ -z $ended && $want == --*=* ]]; then
    before=\${want%%=*}= want=\${want#*=}
    _remit_source "$path \${before%=}"
    _remit_values "$REPLY"
  elif [[ -z $ended && $want == -* ]]; then
    _remit_flags "$path"
    _remit_words "$REPLY"
  else
    _remit_next "$path"
    [[ $place == 1 ]] || REPLY=
`;

/** The end of the last function, and how the shell is told of it. */
const REST = `    if [[ -n $REPLY ]]; then
      _remit_words "$REPLY"
    elif [[ -z $helping ]]; then
      [[ $place == 1 ]] || _remit_source "$path $first $place"
      [[ -n $REPLY ]] || _remit_source "$path $place"
      _remit_values "$REPLY"
    fi
  fi
  # bash puts an answer in place of what follows the last =, : or @ of the word.
  want=$before$want before=
  for word in = : @; do
    [[ $COMP_WORDBREAKS == *$word* && $want == *$word* ]] || continue
    flag=\${want%"\${want##*$word}"}
    [[ \${#flag} -gt \${#before} ]] && before=$flag
  done
  for i in "\${!COMPREPLY[@]}"; do COMPREPLY[i]=\${COMPREPLY[i]#"$before"}; done
}

complete -F _remit remit
`;

export function bashScript({ words, topics, globals, flags, sources, lists }: Spec): string {
  return `# remit completion for bash. Made by \`remit completion bash\`: words are here, ids and profiles are asked of remit.

_remit_next() { # the words that may follow
  case $1 in
${cases(words.map(([before, rows]) => [before, join(rows.map(([name]) => name))]))}
    *) REPLY= ;;
  esac
}

_remit_flags() { # flags of one command, and those of all
  case $1 in
${cases(flags.map(([name, own]) => [name, join(own.map((flag) => flag.name))]))}
    *) REPLY= ;;
  esac
  REPLY="$REPLY "${quote(join(globals.map((flag) => flag.name)))}
}

_remit_source() { # where the values of a flag or of an argument come from
  case $1 in
${cases(sources)}
    *) REPLY= ;;
  esac
}

_remit_list() {
  case $1 in
${cases(lists.map(([name, choices]) => [name, join(choices.map(([value]) => value))]))}
    *) REPLY= ;;
  esac
}

${LOGIC}    [[ -n $helping && -z $path ]] && REPLY+=${quote(` ${join(topics.map(([name]) => name))}`)}
${REST}`;
}
