import { existsSync } from 'node:fs'
import type { Config } from '../../kernel/config/config.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import { leakedRangeFile } from '../credentials/leaked-range.service.ts'
import { rangeService } from '../credentials/range.ts'
import { oidcClient } from '../sign-in/oidc-client.ts'
import { type CheckFinding, fail, messageOf, ok, warn } from './check-finding.ts'

/** Whether the identity provider that is set tells how people sign in by it; nobody is signed in. */
export async function checkSignOn(config: Config): Promise<CheckFinding[]> {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return []
  try {
    await oidcClient({ issuer, clientId, clientSecret, name: config.oidcName }, config.publicUrl).begin(false)
    return [ok('sign-on', `The identity provider ${issuer} says how to sign in by it.`)]
  } catch (error) {
    const advice =
      'Check that it runs, that MUSTER_OIDC_ISSUER is what it calls itself, the address in front of /.well-known/openid-configuration, and that its certificate is trusted here. Until then nobody signs in by it.'
    return [fail('sign-on', `The identity provider ${issuer} cannot be used: ${reasonOf(error)}.`, advice)]
  }
}

/** Of no password: the service learns nothing by it. */
const askedPrefix = '00000'

/** Whether the service for leaked passwords that is set answers, unless a file goes before it. */
export async function checkRange({ rangeUrl, data }: Config): Promise<CheckFinding[]> {
  if (rangeUrl === undefined) return []
  if (existsSync(leakedRangeFile(data)))
    return [
      ok('range', 'Leaked passwords are looked up in the file that was loaded, not by MUSTER_RANGE_URL.'),
    ]
  // User and password are no part of it.
  const { host } = new URL(rangeUrl)
  const advice =
    'Check that it runs, that MUSTER_RANGE_URL is the address that five digits are put behind, with user and password if it asks for them, and that its certificate is trusted here. Until then no leaked passwords are found.'
  try {
    const lines = await rangeService({ dataDir: data, rangeUrl, clock: systemClock }).lines(askedPrefix)
    // Those that were never seen are made up here.
    return /:[1-9]/.test(lines ?? '')
      ? [ok('range', `The service for leaked passwords at ${host} answers.`)]
      : [warn('range', `The service for leaked passwords at ${host} knows none for ${askedPrefix}.`, advice)]
  } catch (error) {
    return [
      fail(
        'range',
        `The service for leaked passwords at ${host} cannot be used: ${reasonOf(error)}.`,
        advice,
      ),
    ]
  }
}

/** What it all came from: what uses the network says "fetch failed", and only its cause why. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.cause instanceof Error) return reasonOf(error.cause)
  return messageOf(error) || String((error as { code?: string }).code)
}
