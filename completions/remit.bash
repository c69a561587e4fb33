# remit completion for bash, 3.2 (macOS) included. It asks `remit __complete` what may stand at the cursor (decision 0083).

# Words as they were typed up to the cursor: bash splits at = and : too.
_remit_split() {
  local line=${COMP_LINE:0:COMP_POINT} i word is_joined
  words=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    is_joined=1
    while [[ $line == [[:space:]]* ]]; do line=${line#?} is_joined=; done
    word=${COMP_WORDS[i]}
    ((i == COMP_CWORD)) && word=$line
    line=${line#"$word"}
    if [[ -n $is_joined && $i -gt 0 ]]; then words[${#words[@]}-1]+=$word; else words+=("$word"); fi
  done
}

_remit() {
  local IFS=$'\n' line mark want before= typed=
  local -a words
  COMPREPLY=()
  _remit_split
  want=${words[${#words[@]}-1]}
  while read -r line; do
    case $line in
      ':before '*) before=${line#:before } ;;
      :nospace) compopt -o nospace 2>/dev/null ;;
      :files)
        compopt -o filenames 2>/dev/null
        while read -r line; do COMPREPLY+=("$before$line"); done < <(compgen -f -- "${want#"$before"}")
        ;;
      :programs) while read -r line; do COMPREPLY+=("$line"); done < <(compgen -c -- "$want") ;;
      *)
        line=$before${line%%$'\t'*}
        [[ $line == "$want"* ]] && COMPREPLY+=("$line")
        ;;
    esac
  done < <(command remit __complete -- "${words[@]:1}" 2>/dev/null)
  # bash puts an answer in place of what follows the last =, : or @ of the word.
  for mark in = : @; do
    [[ $COMP_WORDBREAKS == *$mark* && $want == *$mark* ]] || continue
    line=${want%"${want##*$mark}"}
    [[ ${#line} -gt ${#typed} ]] && typed=$line
  done
  for line in "${!COMPREPLY[@]}"; do COMPREPLY[line]=${COMPREPLY[line]#"$typed"}; done
}

complete -F _remit remit
