import { ApiError, invalidRequest } from '@muster/contract/api/errors'
import type { settingsOperations } from '@muster/contract/console/console-settings'
import { firstOrganization } from '../../kernel/organizations/organizations.ts'
import { auditContext } from '../console/audit-context.ts'
import { type ConsoleHandlers, consoleApiPrefix } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { oidcCallbackPath } from '../sign-in/oidc-client.ts'
import { changeSettings } from './change-settings.ts'
import { failureText } from './failure-text.ts'
import { isForFirstOnly, pagesOf } from './setting-changes.ts'
import { settingPagesView } from './setting-view.ts'

type Operations = Pick<
  typeof settingsOperations,
  'readSettingPages' | 'changeSettings' | 'testSignOn' | 'testStream'
>

/** Handlers for the settings that owners change in the console. */
export function settingPageHandlers(parts: ConsoleParts): ConsoleHandlers<keyof Operations> {
  const { db, keys, makeId, settings, publicUrl, webhooks, signOn, log } = parts

  const view = (org: number) => ({
    pages: settingPagesView(settings.operator, settings.of(org), org === firstOrganization),
    redirectUri: `${publicUrl}${consoleApiPrefix}${oidcCallbackPath}`,
  })

  return {
    readSettingPages: async ({ caller }) => view(caller.administrator.org),

    changeSettings: async (call, { changes }) => {
      const { org } = call.caller.administrator
      if (org !== firstOrganization && [...pagesOf(changes)].some(isForFirstOnly))
        throw new ApiError(
          'role_too_low',
          'Single sign-on and event streams exist once per server. Only owners of its first organization may set them in the console.',
        )
      const change = {
        org,
        changes,
        operator: settings.operator,
        policy: webhooks.targetPolicy,
        key: keys.consoleSecrets,
        revision: makeId(),
        by: auditContext(call),
      }
      const mistakes = await db.inTransaction((tx) => changeSettings(tx, change))
      if (mistakes.length > 0) throw invalidRequest(mistakes.map((mistake) => ({ in: 'body', ...mistake })))
      await settings.refresh()
      return view(org)
    },

    testSignOn: async ({ caller }) => {
      const provider = signOn.of(caller.administrator.org)
      if (!provider) return { target: null, works: false, reason: 'No identity provider is set.' }
      const target = provider.issuer
      try {
        await provider.test()
        return { target, works: true, reason: null }
      } catch (error) {
        log.warn({ err: error }, 'the test of the identity provider failed')
        return { target, works: false, reason: failureText(error) }
      }
    },

    testStream: async ({ caller }, { kind }) => {
      const { id, no } = caller.organization
      const tried = await parts.tryStream({ no, id }, kind)
      if (!tried) return { target: null, works: false, reason: 'No receiver is set.' }
      const { target, error } = tried
      if (error !== undefined)
        log.warn({ err: error, stream: kind }, 'the test of a receiver of events failed')
      return { target, works: error === undefined, reason: error === undefined ? null : failureText(error) }
    },
  }
}
