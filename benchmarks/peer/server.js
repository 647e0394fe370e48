// A boardgame.io server with an auction of four seats: about the bytes of Industry's state, hardly
// any rules, no undo, nothing kept on disk. Used by benchmarks/server.py --peer.
const { Server } = require("boardgame.io/server");

const game = {
  name: "load",
  disableUndo: true,
  setup: () => ({ owner: Array(60).fill(-1), talers: [20, 20, 20, 20], bids: [0, 0, 0, 0], moves: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    bid: ({ G, playerID }, talers) => {
      if (!Number.isInteger(talers) || talers < 0 || talers > G.talers[playerID]) return "INVALID_MOVE";
      G.bids[playerID] = talers;
      G.owner[G.moves % 60] = Number(playerID);
      G.moves += 1;
    },
  },
};

Server({ games: [game], origins: ["http://127.0.0.1"] }).run(Number(process.argv[2]), () => {
  console.log("ready");
});
