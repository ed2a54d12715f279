// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import java.util.LinkedHashMap;
import java.util.Map;
import org.codehaus.commons.compiler.CompileException;
import org.codehaus.janino.ClassBodyEvaluator;

/**
 * Compiles row functions. All tasks of a JVM that run the same source share one class, so it is
 * compiled once, to byte code and to machine code. The classes that were not used for longest are
 * given up. Thread-safe.
 */
public final class RowFunctions {
  private static final int KEPT = 256;

  private static final Map<String, RowFunction> FUNCTIONS =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, RowFunction> eldest) {
          return size() > KEPT;
        }
      };

  private RowFunctions() {}

  /**
   * The function of a source.
   *
   * @param source the body of a class that extends {@link RowFunction}
   * @throws IllegalArgumentException if it does not compile
   */
  public static RowFunction of(String source) {
    synchronized (FUNCTIONS) {
      return FUNCTIONS.computeIfAbsent(source, RowFunctions::compile);
    }
  }

  private static RowFunction compile(String source) {
    ClassBodyEvaluator evaluator = new ClassBodyEvaluator();
    evaluator.setParentClassLoader(RowFunction.class.getClassLoader());
    evaluator.setExtendedClass(RowFunction.class);
    try {
      evaluator.cook(source);
      return (RowFunction) evaluator.getClazz().getDeclaredConstructor().newInstance();
    } catch (CompileException | ReflectiveOperationException notCompiled) {
      throw new IllegalArgumentException(
          "The code that was generated for a Calc does not compile: " + source, notCompiled);
    }
  }
}
