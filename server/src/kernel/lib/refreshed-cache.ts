/** Values by organization that are computed at most once at a time. */
export interface RefreshedCache<T> {
  /** Returns a recent value. An older one is returned while a new one is computed. */
  get(key: string): Promise<T>
}

export interface RefreshOptions<T> {
  compute(key: string): Promise<T>
  nowMs(): number
  /** Age up to which a value is returned without computing it again. */
  readonly freshMs: number
  /** Maximum age of a returned value. */
  readonly staleMs: number
  /** Called when a value could not be computed in the background. */
  onError(error: unknown): void
}

/** Creates an empty cache. */
export function refreshedCache<T>({
  compute,
  nowMs,
  freshMs,
  staleMs,
  onError,
}: RefreshOptions<T>): RefreshedCache<T> {
  const cache = new Map<string, { readonly value: T; readonly takenMs: number }>()
  const running = new Map<string, Promise<T>>()

  const computeNow = async (key: string): Promise<T> => {
    const takenMs = nowMs()
    const value = await compute(key)
    cache.set(key, { value, takenMs })
    return value
  }
  const computeOnce = (key: string): Promise<T> => {
    const current = running.get(key)
    if (current) return current
    const computed = computeNow(key).finally(() => running.delete(key))
    running.set(key, computed)
    return computed
  }

  return {
    get: async (key) => {
      const cached = cache.get(key)
      const age = cached ? nowMs() - cached.takenMs : Number.POSITIVE_INFINITY
      if (!cached || age > staleMs) return computeOnce(key)
      if (age > freshMs) void computeOnce(key).catch(onError)
      return cached.value
    },
  }
}
