/** Answers a call in the place of a method of the browser; `native` calls the method itself, on the same object. */
export type MethodHook = (native: (args: readonly unknown[]) => unknown, args: readonly unknown[]) => unknown

type Method = (...args: readonly unknown[]) => unknown

/**
 * Puts itself before a method of the browser. To the page it stays what it was: its name, its length, its place
 * among the properties, no `prototype`, and native code where its text is asked for.
 *
 * @param owner the prototype; nothing happens where the browser has none, or not the method
 */
export function hookMethod(owner: object | undefined, name: string, hook: MethodHook): void {
  const native: unknown = owner && Reflect.get(owner, name)
  if (!owner || typeof native !== 'function') return
  const call = Reflect.apply
  // Without a prototype, no trap can come from one that the page changes later.
  const handler: ProxyHandler<Method> = Object.assign(Object.create(null), {
    apply: (target: Method, self: unknown, args: readonly unknown[]) =>
      hook((given) => call(target, self, given), args),
  })
  Reflect.set(owner, name, new Proxy(native as Method, handler))
}

/** The getter of an attribute as it is now, before a page can put another in its place; undefined if there is none. */
export function getterOf(owner: object | undefined, name: string): ((self: unknown) => unknown) | undefined {
  const get = owner && Object.getOwnPropertyDescriptor(owner, name)?.get
  const call = Reflect.apply
  return get && ((self) => call(get, self, []))
}
