import type { Person } from '../lab-person.ts'
import type { Flow } from '../lab-product.ts'
import { wrongPassword } from '../login-flows.ts'
import { taskForm } from './task-forms.ts'
import type { Variant } from './variant-dimensions.ts'
import { rightCode, type VariantServer, type VariantSite, wrongCode } from './variant-server.ts'
import { identityOf, truthOf } from './variant-truth.ts'

const elsewhere = 'https://www.acme-works.example/'
const home = '[data-q="home"]'
const refusal = 'html[data-state="refused"]'

type Entry = 'type' | 'retype' | 'paste' | 'fill'

const byRole = (role: string): string => `[data-q="${role}"]`
const isFramed = ({ structure }: Variant): boolean => structure === 'iframe' || structure === 'foreign-iframe'

/** Enters a text; in a closed root with the keyboard only. */
async function fillField(
  person: Person,
  { structure }: Variant,
  role: string,
  text: string,
  entry: Entry,
): Promise<void> {
  if (structure !== 'closed-shadow' || role === 'code') return person[entry](byRole(role), text)
  await person.evaluate(`q.${role}.focus()`)
  if (entry === 'retype') {
    await person.press('ControlOrMeta+A')
    await person.press('Delete')
  }
  for (const sign of text) await person.press(sign)
}

async function press(person: Person, { structure, story, button }: Variant, role = 'go'): Promise<void> {
  if (story === 'entered' || button === 'enter-only' || structure === 'closed-shadow')
    return person.press('Enter')
  return person.click(byRole(role))
}

/** Opens the page, up to the empty form. */
async function reach(person: Person, variant: Variant, host: string): Promise<void> {
  await person.open(`https://${host}/login`)
  if (['dialog', 'modal', 'popup'].includes(variant.structure)) await person.click(byRole('open'))
  if (variant.structure === 'popup') await person.newestTab()
  if (isFramed(variant)) {
    await person.see('iframe')
    await person.frame('iframe')
  }
  if (variant.structure === 'closed-shadow') await person.see('works-login')
}

const isSteps = ({ structure }: Variant): boolean => structure === 'steps' || structure === 'page-steps'

/** Fills in and submits the form. */
async function attempt(person: Person, variant: Variant, password: string, isFirst: boolean): Promise<void> {
  const { story, secret } = variant
  const entry: Entry =
    story === 'pasted' ? 'paste' : story === 'filled' ? 'fill' : isFirst ? 'type' : 'retype'
  if (isFirst || !isSteps(variant)) {
    await fillField(person, variant, 'user', identityOf(variant), entry === 'paste' ? 'type' : entry)
    if (isSteps(variant)) await press(person, variant, 'next')
  }
  await fillField(person, variant, 'password', password, entry)
  if (secret === 'replaced') await person.click(byRole('eye'))
  if (variant.step === 'totp-same-form') await person.retype(byRole('code'), rightCode)
  if (story === 'leave') return
  if (secret === 'replaced' && (story === 'entered' || variant.button === 'enter-only'))
    await person.evaluate('q.password.focus()')
  await press(person, variant)
}

/** Does the second step. */
async function takeStep(person: Person, variant: Variant): Promise<void> {
  const { step, stepEnd } = variant
  await person.see(
    step === 'none' ? home : step === 'push' || step === 'number' || step === 'key' ? 'h1' : byRole('code'),
  )
  if (stepEnd === 'abandoned') {
    await person.pause(2_000)
    return person.open(elsewhere)
  }
  if (step === 'push' || step === 'number') return
  if (step === 'key') {
    await person.see('[data-key]')
    await person.plugInSecurityKey()
    return person.click('[data-key]')
  }
  const codes = stepEnd === 'right' ? [rightCode] : stepEnd === 'wrong' ? [wrongCode] : [wrongCode, rightCode]
  for (const [index, code] of codes.entries()) {
    if (step === 'totp-form-submit') await person.paste(byRole('code'), code)
    else {
      await person[index === 0 ? 'type' : 'retype'](byRole('code'), code)
      await person.click(byRole('go'))
    }
    if (code === wrongCode) {
      await person.see(refusal)
      await person.pause(1_200)
    }
  }
}

const hasStep = ({ step, stepEnd }: Variant): boolean =>
  step !== 'none' && step !== 'totp-same-form' && stepEnd !== 'remembered'

async function logIn(person: Person, { variant, host, password }: VariantSite): Promise<void> {
  const { story, stepEnd } = variant
  await reach(person, variant, host)
  if (story === 'second-tab') {
    await person.newTab(elsewhere)
    await reach(person, variant, host)
  }
  const wrongTimes = story === 'wrong-twice-right' ? 2 : story.startsWith('wrong') ? 1 : 0
  for (let times = 0; times < wrongTimes; times++) {
    await attempt(person, variant, `${wrongPassword}${times === 0 ? '' : '-b'}`, times === 0)
    await seeRefusal(person, variant)
  }
  if (story === 'wrong') return
  await attempt(person, variant, password, wrongTimes === 0)
  if (story === 'leave') return person.open(elsewhere)
  if (hasStep(variant)) {
    await takeStep(person, variant)
    if (stepEnd === 'wrong' || stepEnd === 'abandoned') return
  }
  if (isFramed(variant)) await person.frame()
  if (variant.structure === 'popup') {
    await person.pause(1_500)
    await person.closeTab()
  }
  await person.see(home)
  if (story === 'back') {
    await person.pause(800)
    await person.back()
    await person.pause(800)
  }
  if (story === 'reload') {
    await person.pause(800)
    await person.reload()
    await person.pause(800)
  }
}

/** Waits for the failure and reads it. A page that redraws the form signals that it is back. */
async function seeRefusal(person: Person, variant: Variant): Promise<void> {
  await person.see(refusal)
  await person.pause(1_200)
  const isGone = ['page-lockout', 'page-captcha', 'fetch-lockout', 'fetch-captcha'].includes(variant.refusal)
  const mustReopen = variant.structure === 'dialog' && variant.refusal === 'fetch-reload'
  if (!isGone && !mustReopen && variant.structure !== 'closed-shadow') await person.see(byRole('password'))
}

async function doTask(person: Person, { variant, host, password }: VariantSite): Promise<void> {
  const form = taskForm(variant, password)
  if (form === undefined) throw new Error('a login has no task form')
  await person.open(`https://${host}${form.path}`)
  for (const { role, type, value } of form.fields) {
    if (value === '') continue
    if (type === 'checkbox') await person.click(byRole(role))
    else await person[variant.story === 'filled' ? 'fill' : 'type'](byRole(role), value)
  }
  await person.click(byRole('go'))
  if (variant.task === 'sign-up-mail-code') {
    await person.type(byRole('code'), rightCode)
    await person.click(byRole('go'))
  }
  await person.see(home)
}

/** Creates the flow of a variant. Each has its own host. */
export function variantFlow(
  site: VariantSite,
  name: string,
  server: () => VariantServer,
  more: Partial<Flow> = {},
): Flow {
  const { variant, host } = site
  return {
    name,
    host,
    run: (person) => {
      server().reset(site)
      return variant.task === 'login' ? logIn(person, site) : doTask(person, site)
    },
    expect: truthOf(variant, host),
    ...(variant.cpu === 1 ? {} : { conditions: { cpu: variant.cpu } }),
    ...more,
  }
}
