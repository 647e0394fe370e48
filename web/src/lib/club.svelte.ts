// Who is signed in at this browser. The session itself is in a cookie that no script can read.
import { ask, send } from './api'
import { hold } from './seatTokens'
import type { ClubState, LinkAnswer, Me, OwnTables, Profile, SignedIn } from './protocol'

const NOBODY: ClubState = { persons: 'off', cups: false, passkeys: false, me: null }
let known: ClubState = $state.raw(NOBODY)
let asked: Promise<void> | null = null

/** What is known of the club; nothing before `learnClub` has been answered. */
export function club(): ClubState {
  return known
}

/** Ask once who is signed in here; later answers know who has signed in since. */
export async function learnClub(): Promise<ClubState> {
  asked ??= ask<ClubState>('club').then(
    (state) => void (known = state),
    () => void (asked = null),
  )
  await asked
  return known
}

/** Somebody else is signed in from now on, or nobody. */
export function become(me: Me | null): void {
  known = { ...known, me }
}

export async function signInByLink(secret: string): Promise<void> {
  const wish: LinkAnswer = { secret }
  become((await ask<SignedIn>('session/link', wish)).me)
}

export async function joinByLink(name: string, invitation: string | null): Promise<string | null> {
  const entered = await ask<SignedIn>('persons', { name, invitation })
  become(entered.me)
  return entered.link
}

export async function renewLink(): Promise<string | null> {
  const entered = await ask<SignedIn>('me/link', {})
  become(entered.me)
  return entered.link
}

export async function rename(name: string): Promise<void> {
  become(await ask<Me>('me/name', { name }))
}

export async function removeKey(key: string): Promise<void> {
  const answer = await send('DELETE', `me/passkeys/${key}`)
  become((await answer.json()) as Me)
}

export async function signOut(everywhere: boolean): Promise<void> {
  await send('DELETE', everywhere ? 'me/sessions' : 'session')
  become(null)
}

/** Delete the own person for good. */
export async function removeMe(): Promise<void> {
  await send('DELETE', 'me')
  become(null)
}

export const profileOf = (person: string): Promise<Profile> => ask(`persons/${person}`)

/** Fetch the keys of the own seats, so that this browser can play at all of them. */
export async function fetchSeats(): Promise<void> {
  if (!(await learnClub()).me) return
  const { tables } = await ask<OwnTables>('me/tables')
  for (const { table, token } of tables) {
    if (table.status === 'open' || table.status === 'running') hold(table.table, [token])
  }
}
