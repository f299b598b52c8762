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

# carom mesh: its four parts, the kinds of 'make', and the options of each from its own help.
_carom_mesh() {
    local program=$1 word=$2 part=${COMP_WORDS[2]} kind=()
    if ((COMP_CWORD == 2)); then
        mapfile -t COMPREPLY < <(compgen -W 'info repair refine make --help' -- "$word")
    elif [[ $word == -* ]]; then
        if [[ $part == make ]]; then kind=("${COMP_WORDS[3]}"); fi
        mapfile -t COMPREPLY < <(compgen -W "$("$program" mesh "$part" "${kind[@]}" --help 2>/dev/null |
            grep -oE -- '(^|[ ,])--?[a-z][a-z-]*' | tr -d ' ,' | sort -u)" -- "$word")
    elif [[ $part == make ]] && ((COMP_CWORD == 3)); then
        mapfile -t COMPREPLY < <(compgen -W "$("$program" mesh make 2>/dev/null |
            sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p' | grep -vx kind)" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}

_carom() {
    local program=$1 word=$2 before=$3
    local commands
    commands="$("$program" help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p') help"
    local subcommand=${COMP_WORDS[1]}
    COMPREPLY=()

    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$word")
        return
    fi
    if [[ $subcommand == mesh ]]; then
        _carom_mesh "$program" "$word"
        return
    fi
    case $before in
    -o | --output | --out)
        if [[ $subcommand =~ ^(view|compare|export|plot|render|sdf|import)$ ]]; then
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
    -k | --kind)
        mapfile -t COMPREPLY < <(compgen -W 'bricks dense octree' -- "$word")
        return
        ;;
    --sign)
        mapfile -t COMPREPLY < <(compgen -W 'auto pseudonormal winding' -- "$word")
        return
        ;;
    --log)
        mapfile -t COMPREPLY < <(compgen -W 'x y xy' -- "$word")
        return
        ;;
    --legend)
        mapfile -t COMPREPLY < <(compgen -W 'auto outside none' -- "$word")
        return
        ;;
    --axis)
        mapfile -t COMPREPLY < <(compgen -W 'x y z' -- "$word")
        return
        ;;
    -t | --to)
        mapfile -t COMPREPLY < <(compgen -W 'csv vtk glb obj npz events' -- "$word")
        return
        ;;
    -m | --method)
        mapfile -t COMPREPLY < <(compgen -W "$(_carom_methods "$program")" -- "$word")
        return
        ;;
    --methods) # a list: what is written stays, one that is not in it yet follows
        local begun=${word%"${word##*,}"}
        mapfile -t COMPREPLY < <(compgen -P "$begun" -W "$(_carom_methods "$program" |
            grep -vxF "$(tr ',' '\n' <<< "$begun")")" -- "${word##*,}")
        return
        ;;
    -i | --item | -s | --set | --signals | -d | --duration | -j | --threads | --checkpoint-every | -r | --resolution | --spacing | \
        -n | --every | --count | --from | --until | \
        --margin | --band | --tolerance | --scale | --at | --width | --height | --dpi | -x | --x | -y | --y | --title | --label | \
        --xlabel | --ylabel | --xlim | --ylim | --time | --inset | --size | --view | --speed | --fps)
        return
        ;;
    esac
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_carom_options "$program" "$subcommand")" -- "$word")
        return
    fi
    case $subcommand in
    run | check | import | modes)
        mapfile -t COMPREPLY < <(compgen -f -X '!*.json' -- "$word"; compgen -d -- "$word")
        ;;
    examples)
        if ((COMP_CWORD == 2)); then
            mapfile -t COMPREPLY < <(compgen -W "$("$program" examples --names 2>/dev/null)" -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
        fi
        ;;
    papers)
        mapfile -t COMPREPLY < <(compgen -W "$("$program" papers 2>/dev/null | sed -n 's/^Paper \([0-9]*\):.*/\1/p')" -- "$word")
        ;;
    sdf)
        if ((COMP_CWORD == 2)); then
            mapfile -t COMPREPLY < <(compgen -W 'build info slice' -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
        fi
        ;;
    sweep)
        mapfile -t COMPREPLY < <(compgen -f -X '!*.json' -- "$word"; compgen -d -- "$word")
        ;;
    completion)
        mapfile -t COMPREPLY < <(compgen -W 'bash zsh fish' -- "$word")
        ;;
    resume)
        mapfile -t COMPREPLY < <(compgen -d -- "$word")
        ;;
    compare) # scenes and results
        mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -X '!*.json' -- "$word"; compgen -f -X '!*.h5' -- "$word")
        ;;
    info | view | export | plot | render)
        mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -X '!*.h5' -- "$word")
        ;;
    help)
        mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
        ;;
    esac
}

complete -o filenames -F _carom carom
