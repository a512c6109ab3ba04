import { fold } from '../text/fold.ts';
import { ENGLISH } from '../text/stop-words.ts';

const set = (list: string): ReadonlySet<string> =>
  new Set(
    list
      .trim()
      .split(/\s*[,\n]\s*/)
      .filter(Boolean),
  );

/** Whole notes that say nothing, folded and without punctuation. */
const EMPTY = set(`
yes, no, y, n, k, na, n a, none, nil, null, undefined, nothing, empty, blank, tbd, tba, wip, fixme
ja, nein, si, oui, non, da, да, нет, はい, いいえ, 是, 不是, 对, 네, 아니요
好, 好的, 行, 可以, 没问题, 你好, 您好, 谢谢, 谢谢你, 再见, 完成, 完了, 已完成, 待办, 记住, 记住这个, 请记住, 请记住这个
了解, 了解です, 了解しました, 承知しました, ありがとう, ありがとうございます, こんにちは, 覚えて, 覚えておいて, これを覚えて
알겠습니다, 감사합니다, 안녕하세요, 확인, 완료, 기억해, 기억해줘
привет, спасибо, хорошо, готово, запомни, запомни это, שלום, תודה, مرحبا, شكرا, تم, حسنا
वाह, नमस्ते, धन्यवाद, ठीक है, สวัสดี, ขอบคุณ, ตกลง
`);

/** Words that greet, thank, agree or ask to remember; with function words alone they say nothing. */
const IDLE = set(`
ok, okay, okey, done, todo, hello, hi, hey, bye, goodbye, thanks, thank, thx, cheers, welcome, great, cool
nice, perfect, awesome, good, fine, sure, right, yep, yeah, yup, nope, lgtm, ack, noted, understood, agreed
got, remember, remembering, remembered, reminder, note, notes, save, saved, store, stored, keep, memorize
memorise, memory, memories, forget, dont, important, please, pls, important, later, future, reference
morning, evening, afternoon, day, sorry, wow, hmm, hm, um, uh, oh, ah, lol, haha
hallo, danke, bitte, tschuss, gut, fertig, erledigt, merken, merk, notiz, wichtig
hola, gracias, adios, bueno, listo, hecho, recuerda, recuerde, recordar, esto, nota, importante
bonjour, salut, merci, bien, fait, souviens, note, ca, cela
ciao, grazie, fatto, ricorda, ola, obrigado, obrigada, feito, lembre, isso
`);

const MOST_HEADING_WORDS = 3;
/** A longer text says something. */
const MOST_CHARACTERS = 200;

/**
 * Why a text says nothing that anybody could recall, by stated rules; undefined for a text that says
 * something, however short: `Port 5433` does, `ok` does not.
 */
export function vacuityOf(text: string): string | undefined {
  if (!/[\p{L}\p{N}]/u.test(text)) return 'it has no word in it';
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length > 0 && lines.every(isBareHeading)) return 'it is a heading without text';
  if (text.length > MOST_CHARACTERS) return undefined;
  const words = fold(text.normalize('NFKC'))
    .replace(/['’]/g, '')
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  if (!words) return undefined;
  if (EMPTY.has(words.join(' ')) || EMPTY.has(words.join(''))) return 'it says nothing';
  const isIdle = words.some((word) => IDLE.has(word));
  return isIdle && words.every((word) => IDLE.has(word) || ENGLISH.has(word))
    ? 'it says nothing'
    : undefined;
}

/** `# Deployment`, `Notes:`; a heading with a figure, a name in code or a whole claim is text. */
function isBareHeading(line: string): boolean {
  const heading = /^\s{0,3}#{1,6}\s+([^]*)$/.exec(line)?.[1] ?? /^(.*):$/.exec(line.trimEnd())?.[1];
  if (heading === undefined) return false;
  const words = heading.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  return words.length <= MOST_HEADING_WORDS && !/[\d`_/\\@]|\p{Ll}\p{Lu}/u.test(heading);
}
