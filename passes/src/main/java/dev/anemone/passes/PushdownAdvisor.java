// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.property.PushdownCosts;
import java.util.List;
import java.util.Map;

/**
 * Says how many of the operators behind a source are worth running on the storage side. Found with
 * {@link java.util.ServiceLoader}: the model that it asks is not known here. Thread-safe.
 */
public interface PushdownAdvisor {

  /**
   * Advice.
   *
   * @param operators how many, from the first on
   * @param reason in one line, for people
   * @param numbers behind it, line by line
   */
  record Advice(int operators, String reason, List<String> numbers) {

    public Advice {
      numbers = List.copyOf(numbers);
    }

    /** Advice without numbers. */
    public static Advice of(int operators, String reason) {
      return new Advice(operators, reason, List.of());
    }
  }

  /**
   * A source that may have operators pushed.
   *
   * @param operators behind it, in order, all of which could be; at least one
   */
  record Candidate(SourceVertex source, List<OperatorVertex> operators) {

    public Candidate {
      operators = List.copyOf(operators);
    }
  }

  /** Whether it knows such sources. */
  boolean knows(SourceVertex source);

  /**
   * Finds out what the operators of a job's sources cost, for which it may read some of these. It
   * is asked about all at once, since they share what it measures.
   *
   * @param candidates sources that it knows
   * @param context what the job runs with
   * @return by the id of the source; without those of which that cannot be found out
   */
  Map<String, PushdownCosts> costs(List<Candidate> candidates, PassContext context);

  /** What it advises, by the costs alone. */
  Advice advise(PushdownCosts costs);
}
