// A record within a link: compressed, after #, so that no server has to keep it.

/** Bytes that a link may hold at most: a record has 65,536 characters, each of up to four bytes. */
export const MOST_BYTES = 4 * 65_536

/** Raises where more comes out than a record can have; a few letters may hold gigabytes. */
async function limited(bytes: Uint8Array<ArrayBuffer>, stream: DecompressionStream): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader()
  const parts: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > MOST_BYTES) {
      void reader.cancel()
      throw new RangeError('too large')
    }
    parts.push(value)
  }
  const whole = new Uint8Array(size)
  let place = 0
  for (const part of parts) {
    whole.set(part, place)
    place += part.length
  }
  return whole
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream): Promise<Uint8Array> {
  const answer = new Response(new Blob([bytes]).stream().pipeThrough(stream))
  return new Uint8Array(await answer.arrayBuffer())
}

export async function packed(text: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'))
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Raises where the text was not made by `packed`, or holds more than a record. */
export async function unpacked(text: string): Promise<string> {
  const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0))
  return new TextDecoder().decode(await limited(bytes, new DecompressionStream('deflate-raw')))
}
