// Where somebody is told that it is their turn: with a seat's link, or as a person.
import { ask, send } from '../lib/api'
import { language } from '../lib/i18n.svelte'
import type { Channel, ChannelAdded, NewChannel, NightHours, NoticeWays, OwnNotices, TestSent } from '../lib/protocol'

/** Whose notices: those of a seat, by its link, or one's own at all tables. */
export type Owner = { table: string; token: string } | 'me'

export class Denied extends Error {}

const pathOf = (owner: Owner): string => (owner === 'me' ? 'me/notices' : `tables/${owner.table}/notices`)
const tokenOf = (owner: Owner): string | undefined => (owner === 'me' ? undefined : owner.token)

export const noticeWays = (): Promise<NoticeWays> => ask('notices')
export const ownNotices = (owner: Owner): Promise<OwnNotices> => ask(pathOf(owner), undefined, tokenOf(owner))

export function add(owner: Owner, wish: NewChannel): Promise<ChannelAdded> {
  return ask(pathOf(owner), wish, tokenOf(owner))
}

export async function remove(owner: Owner, channel: Channel): Promise<OwnNotices> {
  const answer = await send('DELETE', `${pathOf(owner)}/${channel.id}`, undefined, tokenOf(owner))
  return (await answer.json()) as OwnNotices
}

export function test(owner: Owner, channel: Channel): Promise<TestSent> {
  return ask(`${pathOf(owner)}/${channel.id}/test`, {}, tokenOf(owner))
}

export function confirm(owner: Owner, channel: Channel, code: string): Promise<OwnNotices> {
  return ask(`${pathOf(owner)}/${channel.id}/code`, { code }, tokenOf(owner))
}

export function setNight(owner: Owner, hours: NightHours): Promise<OwnNotices> {
  return ask(`${pathOf(owner)}/night`, hours, tokenOf(owner))
}

/** Whether this browser can show messages while the page is closed. */
export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

/** Ask for permission, subscribe this browser, and tell the server. Raises `Denied`. */
export async function addDevice(owner: Owner, key: string, label: string): Promise<ChannelAdded> {
  if ((await Notification.requestPermission()) !== 'granted') throw new Denied()
  await navigator.serviceWorker.register('/sw.js')
  const worker = await navigator.serviceWorker.ready
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(key) }
  const made = await worker.pushManager.subscribe(options)
  const { endpoint, keys } = made.toJSON()
  return add(owner, {
    kind: 'push',
    endpoint: endpoint!,
    p256dh: keys!['p256dh']!,
    auth: keys!['auth']!,
    label,
    language: language(),
    spare: false,
  })
}

/** The digest by which the server lists this browser; empty where it has no subscription. */
export async function ownDigest(): Promise<string> {
  const worker = canPush() ? await navigator.serviceWorker.getRegistration() : undefined
  const own = await worker?.pushManager.getSubscription()
  if (!own) return ''
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(own.endpoint))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
