// SHA-256 and HMAC. Browsers offer them to pages over HTTPS and on this machine only; a club that
// plays over plain HTTP in its own network has them from here.
const ROUND: number[] = []
const START: number[] = []

/** The first 32 bits of the fractional parts of roots of the first primes (FIPS 180-4). */
function constants(): void {
  const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32) >>> 0
  for (let n = 2; ROUND.length < 64; n++) {
    if (Array.from({ length: Math.floor(Math.sqrt(n)) - 1 }, (_, i) => i + 2).some((d) => n % d === 0)) continue
    if (START.length < 8) START.push(fraction(Math.sqrt(n)))
    ROUND.push(fraction(Math.cbrt(n)))
  }
}
constants()

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

function padded(message: Uint8Array): DataView {
  const bytes = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64)
  bytes.set(message)
  bytes[message.length] = 0x80
  const view = new DataView(bytes.buffer)
  view.setUint32(bytes.length - 4, message.length * 8)
  return view
}

function compress(state: number[], view: DataView, block: number): void {
  const words = Array.from({ length: 16 }, (_, i) => view.getUint32(block + 4 * i))
  for (let i = 16; i < 64; i++) {
    const [early, late] = [words[i - 15]!, words[i - 2]!]
    const one = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)
    const two = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10)
    words.push((words[i - 16]! + one + words[i - 7]! + two) | 0)
  }
  let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < 64; i++) {
    const mixed = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
    const first = (h + mixed + ((e & f) ^ (~e & g)) + ROUND[i]! + words[i]!) | 0
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  ;[a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i]! + word) | 0))
}

/** SHA-256 without the browser's help. */
export function plainSha256(message: Uint8Array): Uint8Array {
  const state = [...START]
  const view = padded(message)
  for (let block = 0; block < view.byteLength; block += 64) compress(state, view, block)
  const digest = new DataView(new ArrayBuffer(32))
  state.forEach((word, i) => digest.setUint32(4 * i, word))
  return new Uint8Array(digest.buffer)
}

/** HMAC-SHA-256 without the browser's help. */
export function plainHmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(64)
  block.set(key.length > 64 ? plainSha256(key) : key)
  const inner = plainSha256(
    joined(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
  )
  return plainSha256(
    joined(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  )
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}

const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle

export async function sha256(message: Uint8Array): Promise<Uint8Array> {
  return subtle ? new Uint8Array(await subtle.digest('SHA-256', message as BufferSource)) : plainSha256(message)
}

export async function hmac(key: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  if (!subtle) return plainHmac(key, message)
  const imported = await subtle.importKey('raw', key as BufferSource, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  return new Uint8Array(await subtle.sign('HMAC', imported, message as BufferSource))
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
export const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
export const fromHex = (digits: string): Uint8Array =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16))
