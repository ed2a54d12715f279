// SPDX-License-Identifier: Apache-2.0
package org.apache.tez.dag.app.rm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.tez.dag.app.rm.DagAwareYarnTaskScheduler.AMRMClientAsyncWrapper;
import org.apache.tez.dag.app.rm.DagAwareYarnTaskScheduler.TaskRequest;
import org.junit.jupiter.api.Test;

/**
 * What this project's schedulers use of Tez's that Tez shows to its own package only, and may
 * change in any version. When this fails, compare Tez's scheduler with the one of the version
 * below, as docs/adr/0030 says, and only then change the test.
 */
class TezSchedulerContractTest {

  @Test
  void theVersionIsTheOneWhoseSchedulerWasRead() throws IOException {
    Properties properties = new Properties();
    try (InputStream in =
        DagAwareYarnTaskScheduler.class.getResourceAsStream(
            "/META-INF/maven/org.apache.tez/tez-dag/pom.properties")) {
      properties.load(in);
    }

    assertThat(properties).containsEntry("version", "0.10.5");
  }

  /** The class is replaced whole: what it does besides making a client would be missing. */
  @Test
  void theSchedulerTakesItsClient() {
    assertThat(members(DagAwareYarnTaskScheduler.class.getDeclaredMethods(), "initialize"))
        .containsExactlyInAnyOrder(
            "public initialize()", "package initialize(AMRMClientAsyncWrapper)");
    assertThat(members(DagAwareYarnTaskScheduler.class.getDeclaredMethods(), "getProgress"))
        .containsExactly("public getProgress()");
    assertThat(
            members(DagAwareYarnTaskScheduler.class.getDeclaredMethods(), "onContainersAllocated"))
        .containsExactly("public onContainersAllocated(List)");
    assertThat(members(DagAwareYarnTaskScheduler.class.getDeclaredMethods(), "deallocateTask"))
        .containsExactly("public deallocateTask(Object, boolean, TaskAttemptEndReason, String)");
    assertThat(members(AMRMClientAsyncWrapper.class.getDeclaredConstructors(), ""))
        .containsExactly("package (AMRMClient, int, CallbackHandler)");
  }

  /** A request of Tez's is copied with all that it holds: a new part would be lost. */
  @Test
  void aRequestHasThePartsThatAreCopied() {
    assertThat(
            Stream.of(TaskRequest.class.getDeclaredFields())
                .filter(field -> !field.isSynthetic())
                .map(field -> field.getType().getSimpleName() + " " + field.getName()))
        .containsExactlyInAnyOrder(
            "Object task",
            "int vertexIndex",
            "Object signature",
            "Object cookie",
            "ContainerId affinityContainerId");
    assertThat(members(TaskRequest.class.getDeclaredConstructors(), ""))
        .contains(
            "package (Object, int, Resource, String[], String[], Priority, Object, Object,"
                + " ContainerId)");
    assertThat(
            Stream.of(TaskRequest.class.getDeclaredMethods())
                .filter(method -> !method.isSynthetic())
                .map(Method::getName))
        .contains("getTask", "getVertexIndex", "getContainerSignature", "getCookie", "getAffinity");
  }

  private static Stream<String> members(Method[] methods, String name) {
    return Stream.of(methods)
        .filter(method -> method.getName().equals(name) && !method.isBridge())
        .map(method -> access(method) + name + parameters(method.getParameterTypes()));
  }

  private static Stream<String> members(Constructor<?>[] constructors, String name) {
    return Stream.of(constructors)
        .map(each -> access(each) + name + parameters(each.getParameterTypes()));
  }

  private static String access(Member member) {
    int modifiers =
        member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED | Modifier.PRIVATE);
    return modifiers == 0 ? "package " : Modifier.toString(modifiers) + " ";
  }

  private static String parameters(Class<?>[] types) {
    return Stream.of(types)
        .map(Class::getSimpleName)
        .collect(java.util.stream.Collectors.joining(", ", "(", ")"));
  }
}
