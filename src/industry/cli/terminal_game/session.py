"""One game at the terminal, from the first draw to the result."""

import secrets
from collections.abc import Callable
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.text import Text

from industry.boards import BOARDS
from industry.engine import (
    Draw,
    IllegalMove,
    Phase,
    PlayerMove,
    RoundStarted,
    seat_of,
    watch_compiling,
)
from industry.notation import Game, NotationError, SeededBag

from ..app import STOPPED, describe
from ..files import Failure
from ..score import player
from . import pages, saved_games
from .answers import Unclear, read_answer
from .board_view import whole_board
from .choices import main_moves, meaning, typed
from .encoding_output import hold
from .fields import field_of
from .keyboard import Keyboard
from .opponents import Opponents
from .screen import show_decision
from .speech import Speech
from .story import narrate
from .view import View

ALIASES = {"?": "help", "hilfe": "help", "aide": "help", "exit": "quit", "q": "quit"}
BEFORE_PLAY = ("help", "rules", "board", "quit")
PROMPTS = {
    Phase.OFFER: "terminal.prompt.offer",
    Phase.BID: "terminal.prompt.bid",
    Phase.SETTLE: "terminal.prompt.settle",
    Phase.DEVELOP: "terminal.prompt.develop",
    Phase.OVER: "terminal.prompt.over",
}
IDLE_PROMPTS = {Phase.BID: "terminal.prompt.bid_none", Phase.DEVELOP: "terminal.prompt.done"}
YES = ("y", "yes", "j", "ja", "o", "oui")


class LeaveGame(Exception):
    """The player leaves the game."""


def new_seed() -> str:
    return str(secrets.randbelow(10**9))


class Session:
    """A game between people and other players: bots, or players who move at random.

    `kept` is the file of a resumed game, which is updated.
    """

    def __init__(
        self,
        game: Game,
        people: frozenset[int],
        language: str,
        console: Console,
        keyboard: Keyboard,
        kept: Path | None = None,
    ) -> None:
        self.game = game
        self.people = people
        self.language = language
        self.console = console
        self.keyboard = keyboard
        self.kept = kept
        self.opponents = Opponents()
        self.shown = len(game.events) - 1 if game.moves else 0
        """How many of the game's events the players have read."""
        self.begun = len(game.moves)
        """How many moves are already in a file."""
        self.leaving = False
        """From now on the game must be saved, whatever happens."""
        self.undone: int | None = None
        """The seat that is undoing its decisions one after the other."""
        self.notice = ""
        """Shown once, below the next screen."""
        self.commands: dict[str, Callable[[str], bool]] = {
            "help": self._help,
            "rules": self._rules,
            "board": self._board,
            "score": self._score,
            "log": self._log,
            "field": self._field,
            "why": self._why,
            "undo": self._undo,
            "save": self._save,
            "load": self._load,
            "quit": self._quit,
        }

    @property
    def view(self) -> View:
        speech = Speech(self.game.board, self.language, tuple(self.game.players))
        return View(self.game, speech, self.people, self.viewer)

    @property
    def viewer(self) -> int:
        """The person in front of the screen: the one who decides, otherwise the first."""
        actor = self.game.position.actor
        return actor if actor in self.people else min(self.people)

    def say(self, key: str, /, **values: object) -> str:
        return self.view.speech.say(key, **values)

    def print(self, part: RenderableType) -> None:
        self.console.print(part)

    # playing

    def run(self, note: str = "") -> int:
        """Plays until the player leaves; returns the exit code."""
        code = 0
        try:
            self._welcome(note)
            while True:
                self._play_on()
                self._show()
                while not self._run_command(self.keyboard.ask(self._prompt())):
                    pass
        except (LeaveGame, EOFError):
            pass
        except KeyboardInterrupt:
            code = STOPPED
        except BaseException:  # whatever ends the program, the game is not lost
            self._store()
            raise
        self.leaving = True
        self._save_and_report()
        self.print(Text(self.say("terminal.leave.bye")))
        return code

    def prepare(self) -> None:
        """Prepares the bots that need it, and says that this may take a moment."""
        others = [seat for seat in range(len(self.game.players)) if seat not in self.people]
        with self.console.status(self.say("terminal.welcome.preparing")) as status:

            def report(done: int, total: int) -> None:
                text = self.say("terminal.welcome.compiling", done=done, total=total)
                if self.console.is_terminal:
                    status.update(text)
                elif done == 0:
                    self.print(Text(text))

            with watch_compiling(report):
                self.opponents.prepare(self.game, others)

    def _welcome(self, note: str) -> None:
        assert self.game.bag is not None
        self.print(pages.welcome(self.view, str(self.game.bag.seed)))
        if note:
            self.print(Text(note))
        while self.keyboard.is_person:
            word = self.keyboard.ask(self.say("terminal.prompt.begin")).strip().lower()
            word = ALIASES.get(word, word)
            if word not in BEFORE_PLAY:
                break
            self.commands[word]("")

    def _play_on(self) -> None:
        """Makes the draws and the others' moves until a person must decide or the game is over."""
        assert self.game.bag is not None
        while not self.game.is_over:
            if self.game.position.draw_due:
                self.game.draw()
            elif self.game.position.actor in self.people:
                return
            else:
                # keyed by the move's number: the same seed and answers give the same game
                key = f"{self.game.bag.seed}/random players/{len(self.game.moves)}"
                self.game.play(self.opponents.choose(self.game, key))
                self.notice = self.opponents.new_failure(self.game, self.language) or self.notice

    def _show(self) -> None:
        """Shows what the person needs for the next decision; after the end, the result."""
        story = narrate(self.game.events, self.view.speech, self.shown)
        if self.console.is_terminal and self.keyboard.is_person:
            self.console.clear()
        if self.game.is_over:
            self.print(Group(*story, "", pages.score(self.view), ""))
        else:
            show_decision(self.console, self.view, story)
        if self.notice:
            self.print(Text(self.notice, "bold"))
            self.notice = ""

    def _prompt(self) -> str:
        position = self.game.position
        key = PROMPTS[position.phase]
        if position.phase in IDLE_PROMPTS and not main_moves(position):
            key = IDLE_PROMPTS[position.phase]
        if len(self.people) == 1 or self.game.is_over:
            return self.say(key)
        return f"{player(self.game, self.viewer)} – {self.say(key)}"

    # parsing a line

    def _run_command(self, line: str) -> bool:
        """Does what the line says; returns whether the screen must be drawn again."""
        word, _, rest = line.strip().partition(" ")
        if not word:
            return self._enter()
        command = self.commands.get(ALIASES.get(word.lower(), word.lower()))
        if command is not None:
            return command(rest.strip())
        move = self._read(line)
        return move is not None and self._make(move)

    def _enter(self) -> bool:
        """Makes the only legal move, or draws the screen again."""
        moves = self.game.position.legal_moves
        return self._make(moves[0]) if len(moves) == 1 else True

    def _read(self, line: str) -> PlayerMove | None:
        """Returns the move of a line; tells the player why if there is none."""
        if self.game.is_over:
            self.print(Text(self.say("terminal.answer.over")))
            return None
        try:
            move = read_answer(line, self.game.position, self.view.speech)
        except Unclear as error:
            self.print(Text(str(error)))
        except NotationError as error:
            self.print(Text(hold(error.sentence(self.language))))
            self.print(Text(self.say("terminal.answer.help"), "dim"))
        else:
            if seat_of(move) in self.people:
                return move
            self.print(Text(self.say("terminal.answer.other_seat")))
        return None

    def _make(self, move: PlayerMove) -> bool:
        shown = len(self.game.events)
        try:
            self.game.play(move)
        except IllegalMove as error:
            self.print(Text(self.view.speech.explain(error.refusal), "bold"))
            return False
        self.shown = shown
        self.undone = None
        return True

    # the commands

    def _help(self, _: str) -> bool:
        self.print(pages.help_page(self.view.speech))
        return False

    def _rules(self, _: str) -> bool:
        self.print(pages.rules(self.view))
        return False

    def _board(self, _: str) -> bool:
        self.print(whole_board(self.view, self.console.width))
        return False

    def _score(self, _: str) -> bool:
        self.print(pages.score(self.view))
        return False

    def _log(self, rest: str) -> bool:
        """Shows this round and the one before it, or all."""
        events = self.game.events
        rounds = [
            n for n, some in enumerate(events) if any(isinstance(e, RoundStarted) for e in some)
        ]
        since = 0 if rest else rounds[-2:][0]
        for paragraph in narrate(events, self.view.speech, since):
            self.print(paragraph)
        if since:
            self.print(Text(self.say("terminal.story.all"), "dim"))
        return False

    def _field(self, rest: str) -> bool:
        field = field_of(rest)
        if field is None:
            self.print(Text(self.say("terminal.answer.which_field")))
        else:
            self.print(pages.field_page(self.view, field))
        return False

    def _why(self, rest: str) -> bool:
        if not rest:
            self.print(Text(self.say("terminal.answer.why_what")))
            return False
        move = self._read(rest)
        if move is not None:
            refusal = self.game.position.refusal(move)
            if refusal is None:
                what = meaning(self.game.position, move, self.view.speech)
                self.print(Text(self.say("terminal.answer.legal", meaning=what)))
            else:
                self.print(Text(self.view.speech.explain(refusal)))
        return False

    def _undo(self, _: str) -> bool:
        """Undoes the player's last decision, until another seat acts or a token is drawn (J1)."""
        last = self.game.moves[-1]
        seat = seat_of(last)
        mine = seat in self.people and self.undone in (None, seat)
        if isinstance(last, Draw) or not mine:
            self.print(Text(self.say("terminal.answer.no_undo")))
            return False
        taken_back = typed(last, self.view.speech)
        self.undone = seat
        self.game.undo()
        self.shown = len(self.game.events)
        self.notice = self.say("terminal.answer.undone", move=taken_back)
        return True

    def _save(self, rest: str) -> bool:
        if not rest:
            self.print(Text(self.say("terminal.answer.save_where")))
            return False
        try:
            self._write(saved_games.record_file(rest))
        except (Failure, OSError) as error:
            detail = error.format_message() if isinstance(error, Failure) else describe(error)
            self.print(Text(self.say("terminal.answer.not_saved", detail=detail)))
        return False

    def _write(self, path: Path) -> None:
        """Saves the game; asks before replacing an existing file."""
        if path.exists():
            question = self.say("terminal.prompt.replace", path=path)
            if self.keyboard.ask(question).strip().lower() not in YES:
                self.print(Text(self.say("terminal.answer.file_stays")))
                return
        saved_games.save(self.game, path, replace=True)
        self.console.print(Text(self.say("terminal.answer.saved", path=path)), soft_wrap=True)

    def _load(self, rest: str) -> bool:
        """Continues another record; saves the current game first."""
        if not rest:
            self.print(Text(self.say("terminal.answer.load_what")))
            return False
        try:
            game = saved_games.load(saved_games.named_file(rest), self.game.board)
        except Failure as error:
            self.print(Text(self.say("terminal.answer.not_loaded", detail=error.format_message())))
            return False
        self._save_and_report()
        bag = self.game.bag
        fits = bag is not None and saved_games.draws_fit(game, bag)
        if bag is None or not fits:
            bag = SeededBag(new_seed())
        game.bag = bag
        self.game, self.kept, self.begun = game, None, len(game.moves)
        self.people = saved_games.people_of(
            game, everyone=len(self.people) > 1, else_seat=min(self.people) + 1
        )
        self.shown = len(game.events) - 1
        key = "terminal.answer.loaded" if fits else "terminal.answer.loaded_fresh"
        self.notice = self.say(key, path=rest, seed=bag.seed)
        return True

    def _quit(self, _: str) -> bool:
        raise LeaveGame

    # leaving

    def _store(self) -> bool:
        """Saves a game that would be lost; returns whether there was one."""
        if self.kept is None:
            acted = any(seat_of(move) in self.people for move in self.game.moves[self.begun :])
            if not acted or self.game.is_over:
                return False
            self.kept = saved_games.keep_unfinished(self.game)
        else:
            saved_games.save(self.game, self.kept, replace=True)
        return not self.game.is_over

    def _save_and_report(self) -> None:
        """Saves the game first, then says where, because the terminal may be gone."""
        stored = self._store()
        self.console.print()
        if stored:
            own = self.game.board.id in BOARDS
            command = f"industry terminal --resume{'' if own else ' --board …'}"
            where = Text(self.say("terminal.leave.kept", path=self.kept))
            self.console.print(where, soft_wrap=True)
            self.print(Text(self.say("terminal.leave.resume", command=command)))
