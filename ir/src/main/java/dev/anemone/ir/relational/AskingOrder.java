// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * In which order conditions are asked of a row, so that one that keeps another from failing comes
 * before it, however they are written. Those come first that cannot fail. One that may comes after
 * those that fail by less: {@code MOD(n, m) <> 0} before {@code 1 / MOD(n, m) > 2}.
 */
public final class AskingOrder {

  private AskingOrder() {}

  /**
   * Conditions, those of a level after those of the levels before it.
   *
   * @param conditions in an order that those of one level keep
   * @param failures parts of a condition that may fail; what is a part of two is equal
   * @return levels that are not empty
   */
  public static <C, F> List<List<C>> levels(List<C> conditions, Function<C, Set<F>> failures) {
    List<C> left = conditions;
    List<Set<F>> leftFailures = conditions.stream().map(failures).toList();
    List<List<C>> levels = new ArrayList<>();
    while (!left.isEmpty()) {
      List<C> level = new ArrayList<>();
      List<C> later = new ArrayList<>();
      List<Set<F>> laterFailures = new ArrayList<>();
      for (int i = 0; i < left.size(); i++) {
        Set<F> own = leftFailures.get(i);
        if (leftFailures.stream().anyMatch(other -> failsByLess(other, own))) {
          later.add(left.get(i));
          laterFailures.add(own);
        } else {
          level.add(left.get(i));
        }
      }
      levels.add(level);
      left = later;
      leftFailures = laterFailures;
    }
    return levels;
  }

  private static <F> boolean failsByLess(Set<F> one, Set<F> other) {
    return one.size() < other.size() && other.containsAll(one);
  }
}
