import { causeOf } from '../../../kernel/lib/cause-of.ts'
import { oidcClient } from '../../sign-in/oidc-client.ts'
import { guardedFetchBy, oidcSettings } from '../../sign-in/sign-on-provider.ts'
import { type DoctorCheck, fail, ok } from '../doctor-check.ts'
import { withOwnGuard } from '../own-guard.ts'

/** Checks that the identity provider publishes its configuration. Signs nobody in. */
export const signOnCheck: DoctorCheck = {
  name: 'sign-on',
  run: async ({ config }) => {
    const settings = oidcSettings(config)
    if (settings === undefined) return []
    const isOwn = config.sources.oidcIssuer === 'console'
    const name = `The identity provider ${settings.issuer}${isOwn ? ', set in the console,' : ''}`
    try {
      await withOwnGuard(config, 'oidcIssuer', (guard) =>
        oidcClient(settings, config.publicUrl, guard && guardedFetchBy(guard)).discover(),
      )
      return [ok(`${name} is reachable.`)]
    } catch (error) {
      const place = isOwn ? 'the issuer under Settings, Single sign-on' : 'MUSTER_OIDC_ISSUER'
      const advice = `Check that it runs, that ${place} is its exact issuer, the URL before /.well-known/openid-configuration, and that this machine trusts its certificate. Until then nobody can sign in with it.`
      return [fail(`${name} cannot be used: ${causeOf(error)}.`, advice)]
    }
  },
}
