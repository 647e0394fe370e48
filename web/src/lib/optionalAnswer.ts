// Answers of the server that a page can do without.

/** Passes an answer on when it comes; a failure changes nothing, because the page works without it. */
export function ifAnswered<T>(answer: Promise<T>, take: (value: T) => void): void {
  answer.then(take, () => undefined)
}
