/** Replacement for a browser method; `native` calls the original method on the same object. */
export type MethodHook = (native: (args: readonly unknown[]) => unknown, args: readonly unknown[]) => unknown

type Method = (...args: readonly unknown[]) => unknown

/**
 * Hooks a method of the browser. To the page it looks unchanged: name, length, property order, no `prototype`, and
 * native code as its text.
 *
 * @param owner prototype; nothing happens if it or the method does not exist
 */
export function hookMethod(owner: object | undefined, name: string, hook: MethodHook): void {
  const native: unknown = owner && Reflect.get(owner, name)
  if (!owner || typeof native !== 'function') return
  const call = Reflect.apply
  // Without a prototype, the page cannot add traps later.
  const handler: ProxyHandler<Method> = Object.assign(Object.create(null), {
    apply: (target: Method, self: unknown, args: readonly unknown[]) =>
      hook((given) => call(target, self, given), args),
  })
  Reflect.set(owner, name, new Proxy(native as Method, handler))
}

/** Returns the original getter of an attribute, before a page can replace it; undefined if there is none. */
export function getterOf(owner: object | undefined, name: string): ((self: unknown) => unknown) | undefined {
  const get = owner && Object.getOwnPropertyDescriptor(owner, name)?.get
  const call = Reflect.apply
  return get && ((self) => call(get, self, []))
}
