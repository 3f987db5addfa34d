import { oidcClient } from '../../sign-in/oidc-client.ts'
import { causeOf, type DoctorCheck, fail, ok } from '../doctor-check.ts'

/** Checks that the configured identity provider publishes its configuration. Signs nobody in. */
export const signOnCheck: DoctorCheck = {
  name: 'sign-on',
  run: async ({ config }) => {
    const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config
    if (issuer === undefined || clientId === undefined || clientSecret === undefined) return []
    try {
      const settings = { issuer, clientId, clientSecret, name: config.oidcName }
      await oidcClient(settings, config.publicUrl).begin(false)
      return [ok(`The identity provider ${issuer} is reachable.`)]
    } catch (error) {
      const advice =
        'Check that it runs, that MUSTER_OIDC_ISSUER is its exact issuer, the URL before /.well-known/openid-configuration, and that this machine trusts its certificate. Until then nobody can sign in with it.'
      return [fail(`The identity provider ${issuer} cannot be used: ${causeOf(error)}.`, advice)]
    }
  },
}
