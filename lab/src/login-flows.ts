import { elsewhere, type Person } from './lab-person.ts'
import type { ExpectedLogin, Flow } from './lab-product.ts'

/** User of a product. */
export interface Credentials {
  /** Text for the user name field. */
  readonly user: string
  readonly password: string
  /** Identity that the agent must report. Default: `user`. */
  readonly identity?: string
}

/** Login form of a product. Selectors are CSS. */
export interface LoginForm {
  /** Path of the page that shows the form. Default: `/`. */
  readonly path?: string
  /** Steps from that page to the form, such as a click on "Sign in". */
  readonly reach?: (person: Person) => Promise<void>
  /** User name field; omitted if there is only a password. */
  readonly user?: string
  /** Button between user name and password, if they are separate steps. */
  readonly next?: string
  readonly password: string
  /** Button that submits the password. Default: Enter. */
  readonly submit?: string
  /** Element that only signed-in users see. */
  readonly signedIn: string
  /** Element that reports the failed login. Default: the password field returns or stays. */
  readonly refused?: string
  /** Users with their correct passwords; flows take turns. */
  readonly accounts: readonly [Credentials, ...Credentials[]]
  /** Wrong password. Default: one of the lab's. */
  readonly wrong?: string
  /** Facts of every successful login besides the identity, such as `mfa`. */
  readonly facts?: Omit<ExpectedLogin, 'identity' | 'typed'>
  /** Steps after the password, such as a one-time code. */
  readonly after?: (person: Person, account: Credentials) => Promise<void>
  /** Standard flows that do not apply, by name. */
  readonly without?: readonly string[]
}

export const wrongPassword = 'Not-The-Right-One-7261'

type Entry = 'type' | 'paste' | 'fill'

/** Opens the form and fills it in, up to the submit button. */
async function fillIn(
  person: Person,
  form: LoginForm,
  { user, password }: Credentials,
  entry: Entry = 'type',
): Promise<void> {
  await person.open(form.path ?? '/')
  await form.reach?.(person)
  if (form.user !== undefined) {
    await person[entry === 'fill' ? 'fill' : 'type'](form.user, user)
    if (form.next !== undefined) await person.click(form.next)
  }
  await person[entry](form.password, password)
}

async function submit(person: Person, form: LoginForm): Promise<void> {
  if (form.submit === undefined) await person.press('Enter')
  else await person.click(form.submit)
}

async function finish(person: Person, form: LoginForm, account: Credentials): Promise<void> {
  await form.after?.(person, account)
  await person.see(form.signedIn)
}

/** Waits until the failure is visible, and reads it. */
async function seeRefusal(person: Person, form: LoginForm): Promise<void> {
  await person.see(form.refused ?? form.password)
  await person.pause(1_500)
}

/** Returns the flows of every product with a login form. */
export function loginFlows(form: LoginForm): Flow[] {
  let turn = 0
  const account = (): Credentials => form.accounts[turn++ % form.accounts.length] ?? form.accounts[0]
  const wrong = form.wrong ?? wrongPassword
  const seen = ({ user, identity = user }: Credentials, typed: boolean): ExpectedLogin[] => [
    { ...form.facts, identity, typed },
  ]
  const login = (name: string, entry: Entry, more: Partial<Flow> = {}, byEnterKey = false): Flow => {
    const who = account()
    return {
      name,
      run: async (person) => {
        await fillIn(person, form, who, entry)
        if (byEnterKey) await person.press('Enter')
        else await submit(person, form)
        await finish(person, form, who)
      },
      expect: seen(who, entry === 'type'),
      quick: false,
      ...more,
    }
  }
  const refused = (name: string, more: Partial<Flow> = {}): Flow => {
    const who = account()
    return {
      name,
      run: async (person) => {
        await fillIn(person, form, { ...who, password: wrong })
        await submit(person, form)
        await seeRefusal(person, form)
      },
      expect: [],
      quick: false,
      ...more,
    }
  }
  const wrongThenRight = (): Flow => {
    const who = account()
    return {
      name: 'wrong, then right',
      run: async (person) => {
        await fillIn(person, form, { ...who, password: wrong })
        await submit(person, form)
        await seeRefusal(person, form)
        if (form.user !== undefined && form.next === undefined) await person.retype(form.user, who.user)
        await person.retype(form.password, who.password)
        await submit(person, form)
        await finish(person, form, who)
      },
      expect: seen(who, true),
      quick: true,
    }
  }
  const leave = (): Flow => {
    const who = account()
    return {
      name: 'leave in the middle',
      run: async (person) => {
        await fillIn(person, form, who)
        await person.open(elsewhere)
      },
      expect: [],
      quick: false,
    }
  }
  const back = (): Flow => {
    const who = account()
    return {
      name: 'login, back, reload',
      run: async (person) => {
        await fillIn(person, form, who)
        await submit(person, form)
        await finish(person, form, who)
        await person.pause(800)
        await person.back()
        await person.pause(800)
        await person.reload()
      },
      expect: seen(who, true),
      quick: false,
    }
  }
  const secondTab = (): Flow => {
    const who = account()
    return {
      name: 'second tab',
      run: async (person) => {
        await person.open(form.path ?? '/')
        await person.newTab(elsewhere)
        await fillIn(person, form, who)
        await submit(person, form)
        await finish(person, form, who)
        await person.pause(1_500)
        await person.closeTab()
        await person.reload()
      },
      expect: seen(who, true),
      quick: false,
    }
  }
  const flows = [
    login('login typed', 'type', { quick: true }),
    login('login by Enter', 'type', {}, true),
    login('login pasted', 'paste', { quick: true }),
    login('login filled', 'fill'),
    refused('wrong password', { quick: true }),
    wrongThenRight(),
    leave(),
    back(),
    secondTab(),
    login('slow server', 'type', { conditions: { delay: { matches: /^(?:POST|PUT) /, ms: 3_000 } } }),
    refused('wrong, slow server', { conditions: { delay: { matches: /^(?:POST|PUT) /, ms: 3_000 } } }),
    login('slow scripts', 'type', { conditions: { delay: { matches: /\.m?js(?:$|\?)/, ms: 1_500 } } }),
    refused('wrong, slow scripts', { conditions: { delay: { matches: /\.m?js(?:$|\?)/, ms: 1_500 } } }),
    login('slow CPU', 'type', { conditions: { cpu: 6 }, browsers: ['chromium'] }),
  ]
  return flows.filter(({ name }) => !form.without?.includes(name))
}
