// Parts of a table that no server keeps: a replay, a lesson.
import type { ClockView, Proof } from './protocol'

const NO_CLOCK: ClockView = { remaining: [], deadline: null, stand_in_at: null, stand_in_asked: [] }

const NO_PROOF: Proof = {
  scheme: 2,
  rules_version: 1,
  commitment: '',
  places: [],
  shuffled: false,
  contributions: [],
  era_keys: [],
  secret: null,
  daily: '',
}

/** What only a server adds to the view of a table. */
export const WITHOUT_SERVER = {
  created: 0,
  clock: NO_CLOCK,
  proof: NO_PROOF,
  next_table: null,
  branch: null,
  hints: false,
}
