const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/**
 * English function words, left out of index and queries. Folded, contractions without their
 * apostrophe. Words that can carry meaning in a note (use, own, before, under, against) stay.
 */
export const ENGLISH = words(`
a about after again all am an and any are as at be because been being both but by can could
did do does doing done each either else etc ever few for from had has have having he her here
hers herself him himself his how i if in into is it its itself just let many may me might more
most much must my myself no nor not of off oh ok on once only or other our ours ourselves out
over please same shall she should so some such than that the their theirs them themselves then
there these they this those though thus to too until up upon us very was we were what when where
whether which while who whom whose why will with within without would yes yet you your yours
yourself yourselves also
aint arent cant couldnt didnt doesnt dont hadnt hasnt havent isnt mustnt neednt shant shouldnt
wasnt werent wont wouldnt im ive id ill youre youve youd youll hes shes weve theyre theyve
theyd theyll thats whats lets eg ie vs
`);

/** Written in capitals these join conditions in other search tools. */
export const OPERATORS = words('AND OR NOT');

/**
 * Function words of other languages. They are taken out of a query only when the query speaks
 * that language (see query.ts): several are content words in English (die, war, son, sur, con).
 */
export const FOREIGN: readonly ReadonlySet<string>[] = [
  // Spanish
  words(`a al algo como con cual cuando de del desde donde el ella ellos en era es esta este esto
  fue ha hay la las le les lo los mas me mi mis muy no nos o para pero por porque que quien se si
  sin sobre son su sus te tu un una uno y ya`),
  // Portuguese
  words(`a ao aos as com como da das de do dos e ela ele em entre era essa esse esta este eu foi
  ha isso ja la mais mas me meu na nas nao no nos o onde os ou para pela pelo por porque qual
  quando que quem se sem ser seu sua te tem um uma voce`),
  // French
  words(`a au aux avec ce ces cette comment dans de des donc du elle en est et etre eux il ils je
  la le les leur lui mais me mes mon ne nos notre nous on ont ou par pas pour pourquoi qu quand
  que quel quelle qui sa sans se ses son sont sur ta te tu un une vos votre vous y`),
  // Italian
  words(`a ai al alla anche che chi ci come con cosa da dal dalla dei del della di dove e ed era
  gli ha ho i il in io la le lo ma mi nel nella no noi non o per perche piu quale quando quella
  quello questa questo se si sono su sul sulla tra tu un una uno`),
  // German
  words(`aber als am an auch auf aus bei beim bin bis da das dass dem den der des die doch du durch
  ein eine einem einen einer es fur gibt habe haben hat hier ich ihr im in ist ja kann kein keine
  mein mich mir mit muss nach nicht noch nur ob oder ohne sein sich sie sind so um und uns unser
  vom von vor wann war warum was welche welcher welches wenn wer werden wie wieder wir wird wo zu
  zum zur`),
  // Dutch
  words(`aan als bij dat de den der die dit door een en er het hij hoe hun ik in is je kan maar met
  mijn moet naar niet nog of om onze ook op over te tot uit van voor waar waarom wanneer wat we
  wel wie wij worden wordt ze zich zijn zo`),
];

/** Pairs of characters that are grammar in Japanese, Chinese and Korean questions. */
export const DENSE_PAIRS = words(`
です ます した して する ある あり った って から まで には では とは ので のは のか すか ませ せん まし
たか いつ どこ なに どう うし ょう でし たい いる てい ない この その あの これ それ こと もの よう
什么 怎么 为什 哪个 哪里 是否 我们 他们 你们 这个 那个 一个 没有 可以 如何 是什 么时 多少
무엇 어디 언제 어떻 떻게 입니 니까 습니 니다 에서 으로 하는 있는
`);
