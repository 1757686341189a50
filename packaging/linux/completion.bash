# Completion for anaphora and anaphora-nmt in bash.
_anaphora() {
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
    if [[ ${COMP_WORDS[0]##*/} == anaphora-nmt ]]; then
        if ((COMP_CWORD == 1)); then
            mapfile -t COMPREPLY < <(compgen -W "translate import fit-memory fit-quality evaluate confirmation-curve prepare train" -- "$word")
            return
        fi
    elif ((COMP_CWORD == 1)) && [[ $word != */* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "translate check models --sample --new-window --model --device --threads --version --help" -- "$word"; compgen -f -- "$word")
        return
    elif [[ $command == models ]] && ((COMP_CWORD == 2)); then
        mapfile -t COMPREPLY < <(compgen -W "list get import remove" -- "$word")
        return
    fi
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
}
complete -o filenames -F _anaphora anaphora anaphora-nmt
