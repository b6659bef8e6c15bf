#!/usr/bin/env node
// An agent for hexapawn and its kin: takes a piece where it can, else goes to the last row, else plays any move.
//
//   damier match hexapawn "process:run=node eager_agent.js" random
//
// Its moves are named by two squares, as in chess: b1b2. Each line of standard input is a message (docs/agent_protocol.md);
// each position is answered by a line.
"use strict";
const readline = require("node:readline");

let game = null; // the message that began the game
let random = Math.random;

function generator(seed) { // mulberry32: the same seed gives the same moves
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const takes = (move) => move[0] !== move[2]; // pawns take aslant
const arrives = (move) => move.slice(3) === (game.seat === 0 ? String(game.options.height ?? 3) : "1");

function choose(legal) {
  const liked = [takes, arrives].map((likes) => legal.filter(likes)).find((moves) => moves.length > 0) ?? legal;
  return liked[Math.floor(random() * liked.length)];
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "new_game") {
    game = message;
    random = generator(message.seed);
  } else if (message.type === "position") {
    console.log(JSON.stringify({ move: choose(message.legal) }));
  }
});
