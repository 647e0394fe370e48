// Passkeys: what the server and the browser's own dialog say to each other.
import { ask } from './api'
import { become } from './club.svelte'
import type { Ceremony, Me, PasskeyAnswer, SignedIn } from './protocol'

type Plain = Record<string, unknown>

const bytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

const text = (buffer: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Whether this browser can have passkeys at all. */
export const canHavePasskeys = (): boolean => 'PublicKeyCredential' in globalThis && isSecureContext

function known(keys: unknown): PublicKeyCredentialDescriptor[] {
  return ((keys ?? []) as { id: string }[]).map(({ id }) => ({ id: bytes(id), type: 'public-key' }))
}

async function made({ ceremony, options }: Ceremony, label: string): Promise<PasskeyAnswer> {
  const user = options['user'] as Plain
  const credential = (await navigator.credentials.create({
    publicKey: {
      ...(options as unknown as PublicKeyCredentialCreationOptions),
      challenge: bytes(String(options['challenge'])),
      user: { ...(user as unknown as PublicKeyCredentialUserEntity), id: bytes(String(user['id'])) },
      excludeCredentials: known(options['excludeCredentials']),
    },
  })) as PublicKeyCredential
  const response = credential.response as AuthenticatorAttestationResponse
  return {
    ceremony,
    label,
    credential: written(credential, { attestationObject: text(response.attestationObject) }),
  }
}

/** A credential as the server reads it, with what only its kind answers. */
function written(
  { id, rawId, type, response }: PublicKeyCredential,
  answer: Record<string, unknown>,
): Record<string, unknown> {
  return { id, rawId: text(rawId), type, response: { clientDataJSON: text(response.clientDataJSON), ...answer } }
}

/** Become a person whose passkey this device keeps. */
export async function joinByPasskey(name: string, invitation: string | null, label: string): Promise<void> {
  const ceremony = await ask<Ceremony>('persons/passkey', { name, invitation })
  become((await ask<SignedIn>('persons/passkey/finish', await made(ceremony, label))).me)
}

/** Add a passkey of this device to one's person. */
export async function addPasskey(label: string): Promise<void> {
  const ceremony = await ask<Ceremony>('me/passkeys', {})
  become(await ask<Me>('me/passkeys/finish', await made(ceremony, label)))
}

/** Sign in by a passkey that this device has. */
export async function signInByPasskey(): Promise<void> {
  const { ceremony, options } = await ask<Ceremony>('session/passkey', {})
  const credential = (await navigator.credentials.get({
    publicKey: {
      ...(options as unknown as PublicKeyCredentialRequestOptions),
      challenge: bytes(String(options['challenge'])),
      allowCredentials: known(options['allowCredentials']),
    },
  })) as PublicKeyCredential
  const response = credential.response as AuthenticatorAssertionResponse
  const answer: PasskeyAnswer = {
    ceremony,
    credential: written(credential, {
      authenticatorData: text(response.authenticatorData),
      signature: text(response.signature),
      userHandle: response.userHandle ? text(response.userHandle) : null,
    }),
  }
  become((await ask<SignedIn>('session/passkey/finish', answer)).me)
}
