import fc from 'fast-check'

/**
 * Properties look at the same values each time, so that a run fails by what was changed and never by luck.
 * `PROPERTY_SEED=$RANDOM npx vitest run …` draws others.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) })

const [surrogates, afterSurrogates] = [0xd800, 0xe000]
const surrogateCount = afterSurrogates - surrogates

/** Any character of Unicode, as `binary` is; but that takes more than a second of each test file to be made. */
const anyCharacter = fc.nat(0x10ffff - surrogateCount).map(
  (number) => String.fromCodePoint(number < surrogates ? number : number + surrogateCount),
  (character) => {
    const point = typeof character === 'string' ? (character.codePointAt(0) ?? -1) : -1
    if (point < 0 || character !== String.fromCodePoint(point)) throw new Error('this is no character')
    return point < surrogates ? point : point - surrogateCount
  },
)

export { anyCharacter, fc }
