# Builds the agent whose sources lie in ./src beside this file, and writes an archive of its classes to standard output.
#   $1  the folder of damier's own parts    $2  "program" where the sources speak the protocol themselves    $3  the class with its main
set -e
work=$(mktemp -d)
cd "$(dirname "$0")/src"
mkdir "$work/classes"
compile="javac -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 -J-Xmx512m -J-Duser.language=en -encoding UTF-8 -nowarn -g -d $work/classes"
main=$3
if [ "$2" = program ]; then
    $compile ./*.java
else
    # The classes of windows are damier's, which open none; whatever else is there is the agent's own: its main program too,
    # unless it needs more of these windows than there is of them.
    main=DamierRuntime
    compile() {
        rm -rf "$work/own" "$work/given"
        mkdir "$work/own" "$work/given"
        cp ./*.java "$work/own"
        for part in "$given"/*.java; do
            name=$(basename "$part")
            case " $1 " in
                *" $name "*) [ -f "$name" ] || cp "$part" "$work/given" ;;
                *)
                    cp "$part" "$work/given"
                    rm -f "$work/own/$name"
                    ;;
            esac
        done
        $compile "$work"/given/*.java "$work"/own/*.java
    }
    given=$1
    compile "Player.java Main.java" 2> "$work/said" || compile "Player.java" 2> "$work/other" || {
        cat "$work/said" >&2
        exit 1
    }
fi
printf 'Main-Class: %s\n' "$main" > "$work/manifest"
jar -J-Xmx128m --create --file "$work/agent.jar" --manifest "$work/manifest" -C "$work/classes" .
cat "$work/agent.jar"
rm -r "$work"
