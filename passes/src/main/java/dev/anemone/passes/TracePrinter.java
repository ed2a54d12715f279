// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.anemone.ir.print.DotPrinter;
import dev.anemone.ir.print.JsonPrinter;
import dev.anemone.ir.print.TextPrinter;
import dev.anemone.passes.OptimizationStep.Outcome;
import java.util.Locale;

/**
 * Prints what each pass of a policy did, with its changes marked. Stateless and thread-safe; equal
 * traces print alike.
 */
public enum TracePrinter {
  /** For people. */
  TEXT {
    @Override
    public String print(OptimizationTrace trace) {
      TextPrinter printer = new TextPrinter();
      StringBuilder text = new StringBuilder();
      text.append("== ").append(trace.policy()).append(": the program\n");
      text.append(printer.print(trace.input()));
      for (OptimizationStep step : trace.steps()) {
        text.append("\n== ").append(headline(step)).append('\n');
        step.notes().forEach(note -> text.append("note: ").append(note).append('\n'));
        if (step.outcome() == Outcome.CHANGED) {
          text.append(printer.print(step.before(), step.after()));
        }
      }
      for (RunTimePass<?> pass : trace.runTimePasses()) {
        text.append("\n== ").append(runTimeHeadline(trace, pass)).append('\n');
      }
      text.append("\n== ").append(trace.policy()).append(": the result\n");
      return text.append(printer.print(trace.result())).toString();
    }
  },

  /**
   * For programs: an object with {@code policy}, {@code input}, {@code steps}, {@code
   * runTimePasses} and {@code result}. A step has a {@code pass}, an {@code outcome}, a {@code
   * reason} when it was skipped, {@code notes} when the pass has something to say, and a marked
   * {@code plan} when it changed something.
   */
  JSON {
    @Override
    public String print(OptimizationTrace trace) {
      JsonPrinter printer = new JsonPrinter();
      ObjectNode root = MAPPER.createObjectNode();
      root.put("policy", trace.policy());
      root.set("input", tree(printer.print(trace.input())));
      ArrayNode steps = root.putArray("steps");
      for (OptimizationStep step : trace.steps()) {
        ObjectNode node = steps.addObject();
        node.put("pass", step.path());
        node.put("outcome", lowerCase(step.outcome()));
        if (step.outcome() == Outcome.SKIPPED) {
          node.put("reason", step.reason());
        }
        if (!step.notes().isEmpty()) {
          step.notes().forEach(node.putArray("notes")::add);
        }
        if (step.outcome() == Outcome.CHANGED) {
          node.set("plan", tree(printer.print(step.before(), step.after())));
        }
      }
      ArrayNode runTimePasses = root.putArray("runTimePasses");
      trace.runTimePasses().forEach(pass -> runTimePasses.add(pass.name()));
      root.set("result", tree(printer.print(trace.result())));
      try {
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
      } catch (JsonProcessingException e) {
        throw new IllegalStateException("a tree of strings can be written as JSON", e);
      }
    }
  },

  /** For Graphviz: one graph for the program, one for each pass that changed it. */
  DOT {
    @Override
    public String print(OptimizationTrace trace) {
      DotPrinter printer = new DotPrinter();
      StringBuilder text = new StringBuilder();
      text.append("// ").append(trace.policy()).append(": the program\n");
      text.append(printer.print(trace.input()));
      for (OptimizationStep step : trace.steps()) {
        text.append("// ").append(headline(step)).append('\n');
        step.notes().forEach(note -> text.append("// note: ").append(note).append('\n'));
        if (step.outcome() == Outcome.CHANGED) {
          text.append(printer.print(step.before(), step.after()));
        }
      }
      for (RunTimePass<?> pass : trace.runTimePasses()) {
        text.append("// ").append(runTimeHeadline(trace, pass)).append('\n');
      }
      return text.toString();
    }
  };

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The trace, ending with a line feed. */
  public abstract String print(OptimizationTrace trace);

  private static String headline(OptimizationStep step) {
    String headline = step.path() + ": " + lowerCase(step.outcome());
    return step.outcome() == Outcome.SKIPPED ? headline + ", " + step.reason() : headline;
  }

  private static String runTimeHeadline(OptimizationTrace trace, RunTimePass<?> pass) {
    return trace.policy()
        + "/"
        + pass.name()
        + ": while the job runs, on each "
        + pass.messageType().getSimpleName();
  }

  private static String lowerCase(Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT);
  }

  private static JsonNode tree(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the printer writes JSON", e);
    }
  }
}
