// Parts of a table that no server keeps: a replay, a lesson.
import type { ClockView, Proof } from './protocol'

export const NO_CLOCK: ClockView = { remaining: [], deadline: null, stand_in_at: null, stand_in_asked: [] }

export const NO_PROOF: Proof = {
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
