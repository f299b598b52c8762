# Bash completion of carom: subcommands, options, scenes, results, names of examples.
# Use: source completions/carom.bash, or install it into share/bash-completion/completions/carom.

# The options of a subcommand, from its own help, so that this file never falls behind.
_carom_options() {
    "$1" "$2" --help 2>/dev/null | grep -oE -- '(^|[ ,])--?[a-z][a-z-]*' | tr -d ' ,' | sort -u
}

# The contact methods, from the schema of scenes.
_carom_methods() {
    "$1" schema 2>/dev/null | grep -A1 '"method": {' | sed -n 's/.*"const": "\([^"]*\)".*/\1/p'
}

_carom() {
    local program=$1 word=$2 before=$3
    local commands='run check examples resume info export schema help'
    local subcommand=${COMP_WORDS[1]}
    COMPREPLY=()

    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$word")
        return
    fi
    case $before in
    -o | --output)
        if [[ $subcommand == export ]]; then
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
        fi
        return
        ;;
    --scene)
        mapfile -t COMPREPLY < <(compgen -f -X '!*.json' -- "$word"; compgen -d -- "$word")
        return
        ;;
    -t | --to)
        mapfile -t COMPREPLY < <(compgen -W 'csv' -- "$word")
        return
        ;;
    -m | --method)
        mapfile -t COMPREPLY < <(compgen -W "$(_carom_methods "$program")" -- "$word")
        return
        ;;
    -s | --set | --signals | -d | --duration | -j | --threads | --checkpoint-every)
        return
        ;;
    esac
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_carom_options "$program" "$subcommand")" -- "$word")
        return
    fi
    case $subcommand in
    run | check)
        mapfile -t COMPREPLY < <(compgen -f -X '!*.json' -- "$word"; compgen -d -- "$word")
        ;;
    examples)
        if ((COMP_CWORD == 2)); then
            mapfile -t COMPREPLY < <(compgen -W "$("$program" examples --names 2>/dev/null)" -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
        fi
        ;;
    resume)
        mapfile -t COMPREPLY < <(compgen -d -- "$word")
        ;;
    info | export)
        mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -X '!*.h5' -- "$word")
        ;;
    help)
        mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
        ;;
    esac
}

complete -o filenames -F _carom carom
