package dev.anemone.passes;

import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.property.PushdownCosts;
import java.util.List;
import java.util.Optional;

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

  /** Whether it knows such sources. */
  boolean knows(SourceVertex source);

  /**
   * Finds out what the operators cost, for which it may read some of the source.
   *
   * @param operators behind the source, in order, all of which could be pushed; at least one
   * @param context what the job runs with
   * @return empty when that cannot be found out
   */
  Optional<PushdownCosts> costs(
      SourceVertex source, List<OperatorVertex> operators, PassContext context);

  /** What it advises, by the costs alone. */
  Advice advise(PushdownCosts costs);
}
