import type { Moment, TimeExpression } from '../domain/time-expression.ts';
import { toIso } from '../domain/time.ts';

const TIMES = ['createdAt', 'validFrom', 'validTo', 'expiredAt'] as const;
type TimeField = (typeof TIMES)[number];

type Definite<T> = {
  [K in keyof T]: K extends TimeField ? Exclude<T[K], TimeExpression> | string : T[K];
};

/** The fields with their times in ISO 8601, UTC: a day, week, month or year is its first instant. */
export function definite<T extends { readonly [K in TimeField]?: TimeExpression | undefined }>(
  fields: T,
  moment: Moment,
): Definite<T> {
  const times = TIMES.flatMap((field) => {
    const expression = fields[field];
    return expression ? [[field, toIso(expression(moment).startMs)] as const] : [];
  });
  return { ...fields, ...Object.fromEntries(times) } as Definite<T>;
}
