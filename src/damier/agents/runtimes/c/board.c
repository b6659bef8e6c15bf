#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"

enum { CELLS = 9, SIDE = 3, LINES = 8 };

static const int lines[LINES][SIDE] = {
    {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6},
};

Board boardMakeEmpty(void) { return boardCopy("         "); }

void boardFree(Board b) { free(b); }

Board boardCopy(Board b) {
    Board copy = malloc(CELLS + 1);
    if (copy == NULL) {
        fprintf(stderr, "boardCopy: no memory left\n");
        exit(EXIT_FAILURE);
    }
    memcpy(copy, b, CELLS);
    copy[CELLS] = '\0';
    return copy;
}

void boardPrint(Board b) {
    for (int row = 0; row < CELLS; row += SIDE)
        printf("%s %c | %c | %c\n", row == 0 ? "" : "---+---+---\n", b[row], b[row + 1], b[row + 2]);
}

Player boardWin(Board b) {
    for (int i = 0; i < LINES; i++) {
        char mark = b[lines[i][0]];
        if (mark != ' ' && mark == b[lines[i][1]] && mark == b[lines[i][2]]) return mark == 'X' ? X : O;
    }
    return E;
}

bool boardIsFull(Board b) { return strchr(b, ' ') == NULL; }

Board boardNext(Board b, Move m, Player p) {
    if (p == E || !boardValidMove(b, m)) {
        fprintf(stderr, "boardNext: cell %d of \"%s\" cannot be marked\n", m, b);
        exit(EXIT_FAILURE);
    }
    b[m] = p == X ? 'X' : 'O';
    return b;
}

bool boardValidMove(Board b, Move m) { return m >= 0 && m < CELLS && b[m] == ' '; }

Player boardGetPlayer(Board b) {
    int marks = 0;
    for (int cell = 0; cell < CELLS; cell++) marks += b[cell] != ' ';
    return marks == CELLS ? E : marks % 2 == 0 ? X : O;
}
