/** The script for zsh: the same walk as bash's, with descriptions. */
import type { Spec } from './spec.ts';

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** As `_describe` takes it: a colon parts value and description. */
const item = (value: string, about: string): string =>
  quote(`${value.replaceAll(':', '\\:')}${about === '' ? '' : `:${about}`}`);

const pattern = (key: string): string => {
  if (key.startsWith('* ')) return `*' '${quote(key.slice(2))}`;
  const more = /^(.*) (\d)\+$/.exec(key);
  return more ? `${quote(`${more[1]} `)}[${more[2]}-9]*` : quote(key);
};

type Pair = readonly [value: string, about: string];

const described = (rows: readonly (readonly [key: string, pairs: readonly Pair[]])[]): string =>
  rows
    .filter(([, pairs]) => pairs.length > 0)
    .map(([key, pairs]) => `    ${quote(key)}) reply=(${pairs.map((pair) => item(...pair)).join(' ')}) ;;`)
    .join('\n');

function sourceCases(sources: Spec['sources']): string {
  const bySource = new Map<string, string[]>();
  for (const [key, source] of sources) bySource.set(source, [...(bySource.get(source) ?? []), pattern(key)]);
  return [...bySource].map(([source, keys]) => `    ${keys.join('|')}) REPLY=${quote(source)} ;;`).join('\n');
}

/** How a line is read, and where the values of each place come from: the same whatever the commands are. */
const LOGIC = `_remit_values() { # of one source
  local part line
  local -a found
  [[ $1 == '='* ]] && compadd -- \${(s: :)1#=}
  for part in \${(s: :)1}; do
    case $part in
      +*) _remit_list \${part#+}; _describe -V \${part#+} reply ;;
      @*)
        found=()
        for line in \${(f)"$(command remit __complete \${part#@} "\${(Q)PREFIX}" "$profile" 2>/dev/null)"}; do
          found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
        done
        (( $#found )) && _describe -V \${part#@} found
        ;;
      file) _files ;;
      atfile) [[ $PREFIX == @* ]] && compset -P @ && _files ;;
      program) _command_names -e ;;
    esac
  done
}

_remit() {
  local REPLY word trail= profile= first= flag= source= helping= ended=
  local -i i place=1
  local -a reply
  for (( i = 2; i < CURRENT; i++ )); do
    word=\${(Q)words[i]}
    if [[ -n $source ]]; then
      [[ $flag == --profile ]] && profile=$word
      source=
      continue
    fi
    case $word in
      --) ended=1 ;;
      --profile=*) profile=\${word#*=} ;;
      --*=*) ;;
      -?*) [[ -n $ended ]] || { flag=$word; _remit_source "$trail $word"; source=$REPLY } ;;
      *)
        _remit_next "$trail"
        reply=(\${(M)reply:#$word(|:*)})
        if (( place == 1 && $#reply )); then
          if [[ -z $trail && $word == help ]]; then helping=1; else trail=\${trail:+$trail }$word; fi
        else
          (( place == 1 )) && first=$word
          (( place++ ))
        fi
        ;;
    esac
  done
  if [[ -n $source ]]; then
    _remit_values $source
  elif [[ -z $ended && $PREFIX == --*=* ]]; then
    _remit_source "$trail \${PREFIX%%=*}"
    compset -P '*='
    _remit_values $REPLY
  elif [[ -z $ended && $PREFIX == -* ]]; then
    _remit_flags "$trail"
    _describe -V -o flag reply
  else
    _remit_next "$trail"
    (( place == 1 )) || reply=()
`;

/** The end of the last function, and how the shell is told of it. */
const REST = `    if (( $#reply )); then
      _describe -V command reply
    elif [[ -z $helping ]]; then
      REPLY=
      (( place == 1 )) || _remit_source "$trail $first $place"
      [[ -n $REPLY ]] || _remit_source "$trail $place"
      _remit_values $REPLY
    fi
  fi
}

if [[ $funcstack[1] == _remit ]]; then _remit "$@"; else compdef _remit remit; fi
`;

export function zshScript({ words, topics, globals, flags, sources, lists }: Spec): string {
  const pairs = (own: Spec['globals']): Pair[] => own.map(({ name, about }) => [name, about]);
  return `#compdef remit
# remit completion for zsh. Made by \`remit completion zsh\`: words are here, ids and profiles are asked of remit.

_remit_next() { # the words that may follow
  reply=()
  case $1 in
${described(words)}
  esac
}

_remit_flags() { # flags of one command, and those of all
  reply=()
  case $1 in
${described(flags.map(([name, own]) => [name, pairs(own)]))}
  esac
  reply+=(${pairs(globals)
    .map((pair) => item(...pair))
    .join(' ')})
}

_remit_source() { # where the values of a flag or of an argument come from
  REPLY=
  case $1 in
${sourceCases(sources)}
  esac
}

_remit_list() {
  reply=()
  case $1 in
${described(lists)}
  esac
}

${LOGIC}    [[ -n $helping && -z $trail ]] && reply+=(${topics.map(([name, about]) => item(name, about)).join(' ')})
${REST}`;
}
