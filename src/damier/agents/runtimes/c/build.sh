# Builds the agent whose sources lie in ./src beside this file, and writes the program to standard output.
#   $1  the folder of damier's own parts    $2  "program" where the sources speak the protocol themselves
set -e
work=$(mktemp -d)
cd "$(dirname "$0")/src"
compile="cc -std=gnu17 -O2 -g -fno-pie -I. -I$1 -c"
for source in *.c; do
    $compile -finstrument-functions "$source" -o "$work/$source.o"
done
link="-no-pie -lm"
ours=" runtime.c"
if [ "$2" != program ]; then
    for part in board agent Dict LinkedList; do
        [ -f "$part.c" ] && continue
        cp "$1/$part.c" "$work"
        $compile "$work/$part.c" -o "$work/$part.c.o"
        ours="$ours $part.c"
    done
    for object in "$work"/*.o; do # tests, which have a main of their own
        case $object in */main.c.o) continue ;; esac
        [ -f main.c ] && nm -g --defined-only "$object" | grep -q " T main$" && rm "$object"
    done
    defined() { nm -g --defined-only "$work"/*.o | grep -q " T $1\$"; }
    if [ ! -f main.c ] && defined createAiAgent && defined createRlAgent; then
        cp "$1/main.c" "$work"
        $compile "$work/main.c" -o "$work/main.c.o"
        ours="$ours main.c"
    fi
    defined=$(nm -g --defined-only "$work"/*.o | sed -n 's/^[0-9a-f]* T //p')
    has=
    for name in $defined; do
        case $name in
            main)
                for object in "$work"/*.o; do objcopy --redefine-sym main=main_of_console "$object"; done
                has="$has -DHAS_main"
                ;;
            play | end | createAiAgent | createRlAgent | getMinimaxScore | setTrainingModeRlAgent | getMoveScoreRlAgent)
                has="$has -DHAS_$name" ;;
        esac
    done
    for name in rand random drand48 srand srandom srand48 agentCreate; do link="$link -Wl,--wrap=$name"; done
else
    has=-DPROGRAM
fi
cp "$1/runtime.c" "$work/runtime.c"
$compile $has "-DOURS=\"$ours\"" "$work/runtime.c" -o "$work/runtime.o"
cc "$work"/*.o $link -o "$work/program"
cat "$work/program"
rm -r "$work"
