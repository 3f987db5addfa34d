import fc from 'fast-check'

/**
 * Property tests use the same values in each run, so a failure comes from a change and not from chance. Set
 * `PROPERTY_SEED=$RANDOM` for other values.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) })

const [surrogates, afterSurrogates] = [0xd800, 0xe000]
const surrogateCount = afterSurrogates - surrogates

/** Any Unicode character, like the unit `binary`, whose setup takes more than a second per test file. */
const anyCharacter = fc.nat(0x10ffff - surrogateCount).map(
  (number) => String.fromCodePoint(number < surrogates ? number : number + surrogateCount),
  (character) => {
    const point = typeof character === 'string' ? (character.codePointAt(0) ?? -1) : -1
    if (point < 0 || character !== String.fromCodePoint(point)) throw new Error('not a single character')
    return point < surrogates ? point : point - surrogateCount
  },
)

export { anyCharacter, fc }
