// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import dev.anemone.ir.message.Message;
import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.message.TaskTimes;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Sends run-time passes to where the job runs: as the names of their classes, of which instances
 * are made there. That is enough because passes hold no state.
 */
public final class RunTimePasses {

  private static final List<Class<? extends Message>> SENT =
      List.of(ShuffleSizes.class, TaskTimes.class);

  private RunTimePasses() {}

  /**
   * The class names of passes, in order.
   *
   * @throws IllegalArgumentException when no instance could be made of a name, or no job sends what
   *     a pass takes; says which pass it is, and what its class needs
   */
  public static List<String> names(List<RunTimePass<?>> passes) {
    List<String> names = new ArrayList<>();
    for (RunTimePass<?> pass : passes) {
      requireSent(pass);
      Class<?> type = pass.getClass();
      if (!canBeMade(type)) {
        throw new IllegalArgumentException(
            "Run-time pass "
                + pass.name()
                + " cannot be sent to the running job: "
                + needs(type.getName()));
      }
      names.add(type.getName());
    }
    return names;
  }

  private static void requireSent(RunTimePass<?> pass) {
    if (SENT.stream().noneMatch(pass.messageType()::isAssignableFrom)) {
      throw new IllegalArgumentException(
          "Run-time pass "
              + pass.name()
              + " takes messages of "
              + pass.messageType().getName()
              + ", which no job sends. Jobs send "
              + SENT.stream().map(Class::getSimpleName).collect(Collectors.joining(" and "))
              + ".");
    }
  }

  private static boolean canBeMade(Class<?> type) {
    return Modifier.isPublic(type.getModifiers())
        && Arrays.stream(type.getConstructors())
            .anyMatch(constructor -> constructor.getParameterCount() == 0);
  }

  private static String needs(String className) {
    return "its class "
        + className
        + " must be public, not abstract, and have a public constructor without parameters.";
  }

  /**
   * An instance of each class.
   *
   * @param classNames what {@link #names} gave
   * @param loader sees the classes
   * @throws IllegalArgumentException when there is no such class, or it is no run-time pass, or no
   *     instance can be made; names the class
   */
  public static List<RunTimePass<?>> load(List<String> classNames, ClassLoader loader) {
    List<RunTimePass<?>> passes = new ArrayList<>();
    for (String className : classNames) {
      passes.add(load(className, loader));
    }
    return passes;
  }

  private static RunTimePass<?> load(String className, ClassLoader loader) {
    String what = "Run-time pass " + className + " cannot be loaded: ";
    try {
      Object pass = Class.forName(className, true, loader).getConstructor().newInstance();
      if (pass instanceof RunTimePass<?> runTimePass) {
        return runTimePass;
      }
      throw new IllegalArgumentException(
          what + "the class does not implement " + RunTimePass.class.getName() + ".");
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(
          what + "the class is not on the class path of the running job.", e);
    } catch (NoSuchMethodException | InstantiationException | IllegalAccessException e) {
      throw new IllegalArgumentException(what + needs(className), e);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(
          what + "its constructor failed: " + e.getCause(), e.getCause());
    } catch (LinkageError e) {
      throw new IllegalArgumentException(what + e, e);
    }
  }
}
