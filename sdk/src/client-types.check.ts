import type { EventFor, WebhookEvent } from '@muster/contract/events/event-objects'
import type { Account, AccountUser } from '@muster/contract/records/account'
import type { App, AppUpdate } from '@muster/contract/records/app'
import type { BlockedUrlsDeletion } from '@muster/contract/records/blocked-url'
import type { BrowserExtension } from '@muster/contract/records/browser-extension'
import type { Detection } from '@muster/contract/records/detection'
import type { Employee, EmployeeCreation, EnrollmentLink } from '@muster/contract/records/employee'
import type { CallOptions, Page, PostOptions, WalkInput } from './client-options.ts'
import type { Client, ListFilters, ListId } from './client-types.ts'

// Guarantees of the client's types. This file does not compile if one is violated. It is never run.

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Holds<T extends true> = T
type HoldsNot<T extends false> = T

type Given<M extends keyof Client> = Parameters<Client[M]>
type Gives<M extends keyof Client> = Awaited<ReturnType<Client[M]>>
type ValueOf<K extends ListId, N extends keyof ListFilters<K>> = Exclude<ListFilters<K>[N], undefined>

/** The check sees a difference. */
export type Itself = [HoldsNot<Same<string, number>>, HoldsNot<Same<string, unknown>>]

/** A method takes the id of its path, then filters or a body, then options; and gives what is declared. */
export type Methods = [
  Holds<Same<Given<'getApp'>, [id: string, options?: CallOptions]>>,
  Holds<Same<Gives<'getApp'>, App>>,
  Holds<Same<Given<'listAccountUsers'>[0], string>>,
  Holds<Same<Gives<'listAccountUsers'>, Page<AccountUser>>>,
  Holds<Same<Given<'addEmployee'>, [body: EmployeeCreation, options?: PostOptions]>>,
  Holds<Same<Given<'updateApp'>, [id: string, body: AppUpdate, options?: PostOptions]>>,
  Holds<Same<Gives<'updateApp'>, App>>,
  Holds<Same<Gives<'deleteBlockedUrls'>, BlockedUrlsDeletion>>,
  Holds<Same<Given<'createEnrollmentLink'>, [id: string, options?: PostOptions]>>,
  Holds<Same<Gives<'createEnrollmentLink'>, EnrollmentLink>>,
  Holds<Same<Given<'deleteStolenCredentials'>, [options?: PostOptions]>>,
]

/** A filter takes what its member holds, without null; several values where a record must have all of them. */
export type Filters = [
  Holds<Same<ValueOf<'listApps', 'approvalStatus'>, NonNullable<App['approvalStatus']>>>,
  Holds<Same<ValueOf<'listApps', 'labels'>, string | readonly string[]>>,
  Holds<Same<ValueOf<'listBrowserExtensions', 'permissions'>, string | readonly string[]>>,
  Holds<Same<ValueOf<'listBrowserExtensions', 'enabled'>, boolean>>,
  Holds<Same<ValueOf<'listEmployees', 'group'>, string>>,
  Holds<Same<ValueOf<'listEmployees', 'email'>, string>>,
  Holds<Same<ValueOf<'listDetections', 'severity'>, Detection['severity']>>,
  Holds<Same<ValueOf<'listAccounts', 'lastUsedTimestampBefore'>, number>>,
  Holds<
    Same<
      keyof ListFilters<'listAppsOther'>,
      'domain' | 'requestSupportStatus' | 'hidden' | 'creationTimestampAfter' | 'creationTimestampBefore'
    >
  >,
  Holds<Same<keyof ListFilters<'listBlockedUrls'>, never>>,
]

const walks = (client: Client) => ({
  extensions: client.iterate('listBrowserExtensions', { permissions: ['tabs'], enabled: true }),
  users: client.iterate('listAccountUsers', 'id', { limit: 10 }),
})
type Walks = ReturnType<typeof walks>

/** A walk goes over lists alone, and gives their records. */
export type Walking = [
  Holds<Same<Extract<'listAccountUsers' | 'getApp' | 'addEmployee', ListId>, 'listAccountUsers'>>,
  Holds<Same<Walks['extensions'], AsyncGenerator<BrowserExtension, void, undefined>>>,
  Holds<Same<Walks['users'], AsyncGenerator<AccountUser, void, undefined>>>,
  HoldsNot<{ offset: number } extends WalkInput ? true : false>,
]

type Change = EventFor<'EMPLOYEE'>
type Of<T extends Change['type']> = Extract<Change, { type: T }>

/** Events are discriminated by object, changes by type. */
export type Events = [
  Holds<Same<Of<'CREATE'>['old'], null>>,
  Holds<Same<Of<'UPDATE'>['old'], Employee>>,
  Holds<Same<Of<'DELETE'>['new'], null>>,
  Holds<Extract<WebhookEvent, { object: 'ACCOUNT'; type: 'UPDATE' }>['new'] extends Account ? true : false>,
  Holds<Same<'actor' extends keyof EventFor<'APP_UPDATED'> ? true : false, true>>,
  HoldsNot<Same<'actor' extends keyof EventFor<'LOGIN'> ? true : false, true>>,
  HoldsNot<Same<'old' extends keyof EventFor<'LOGIN'> ? true : false, true>>,
]
