// Which of its four arrangements the table has; the same words stand in the style sheets.
/** A phone held upright: the stage is a sheet over the board. */
export const PHONE = '(max-width: 640px) and (orientation: portrait)'
