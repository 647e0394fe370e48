// The rules in the order in which one reads them, by section of the rulebook. Sections, rules and
// rulings are those of the engine; a test compares them. The words stand in rulebook.json.
import type { Edition } from '../../lib/protocol'

export interface RuleEntry {
  id: string
  rulings: string[]
  /** Left out where both editions have it. */
  only?: Edition
}

export interface Section {
  /** As in the family of words `section`. */
  id: string
  rules: RuleEntry[]
}

function rule(id: string, rulings = '', only?: Edition): RuleEntry {
  return { id, rulings: rulings ? rulings.split(' ') : [], ...(only ? { only } : {}) }
}

export const OUTLINE: readonly Section[] = [
  { id: 'preparation', rules: [rule('setup.start', 'A4 A5 D1 D3')] },
  { id: 'course', rules: [rule('turn.order')] },
  { id: 'phase_1', rules: [rule('income.round', 'J6'), rule('income.era', 'I2', 'industria')] },
  {
    id: 'phase_2',
    rules: [
      rule('draw.round', 'B4 J7'),
      rule('draw.count', 'B2 B3'),
      rule('draw.token', 'B1'),
      rule('draw.coin', 'A2 B5 J6', 'industry'),
    ],
  },
  {
    id: 'phase_3',
    rules: [
      rule('auction.first'),
      rule('auction.offer.available', 'C7'),
      rule('auction.bid.once', 'C8'),
      rule('auction.bid.higher', 'C1 C2 C8'),
      rule('auction.sell', 'C5 C6'),
      rule('auction.claim.afford', 'C3 C9 I3'),
      rule('auction.claim.payment', 'C4', 'industry'),
      rule('auction.nobids', 'C6'),
      rule('auction.office', 'B4 C6'),
      rule('auction.field.taken', 'D2 I4'),
      rule('auction.end', 'C7'),
    ],
  },
  {
    id: 'phase_4',
    rules: [
      rule('development.order', 'E1'),
      rule('development.limit', 'E1 I6'),
      rule('development.field', 'E3 E13 G1 I8'),
      rule('development.payment', 'E8 E12 E14'),
      rule('development.resource', 'E4 E5 E6 E7 E8 E9'),
      rule('development.joker', 'E8'),
      rule('development.discount', 'E2 E10 E11'),
      rule('development.points', 'E13 H9'),
      rule('development.done', 'E15'),
    ],
  },
  { id: 'phase_5', rules: [rule('round.marker', 'A3')] },
  { id: 'era_change', rules: [rule('era.change', 'B1 B3 B6 G1 I8')] },
  { id: 'subsidy', rules: [rule('subsidy.once', 'F1 F3 I2'), rule('subsidy.timing', 'F2', 'industry')] },
  {
    id: 'game_end',
    rules: [
      rule('end.eras', 'G2 I1'),
      rule('end.round', 'G2 F3'),
      rule('scoring.cleanup', 'G3'),
      rule('scoring.money', 'H4'),
      rule('scoring.links', 'H3'),
      rule('scoring.bonuses', 'H1 H2 I7'),
      rule('scoring.jokers', 'H5 I5'),
      rule('scoring.subsidy', 'F4 H6', 'industry'),
      rule('scoring.total', 'H7 H9'),
      rule('scoring.tiebreak', 'H8 I10'),
    ],
  },
  { id: 'option', rules: [rule('cash.tile', 'I5')] },
]

/** The edition in which a rule can be read, where only one has it. */
export function editionOf(id: string): Edition | undefined {
  return OUTLINE.flatMap((section) => section.rules).find((entry) => entry.id === id)?.only
}
