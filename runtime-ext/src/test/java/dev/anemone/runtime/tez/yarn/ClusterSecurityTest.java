// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClusterSecurityTest {

  private final Configuration cluster = new Configuration(false);
  private String krb5;

  @BeforeEach
  void anyRealm() {
    krb5 = System.getProperty("java.security.krb5.realm");
    System.setProperty("java.security.krb5.realm", "EXAMPLE.ORG");
    System.setProperty("java.security.krb5.kdc", "127.0.0.1:1");
  }

  @AfterEach
  void forget() {
    if (krb5 == null) {
      System.clearProperty("java.security.krb5.realm");
    } else {
      System.setProperty("java.security.krb5.realm", krb5);
    }
    System.clearProperty("java.security.krb5.kdc");
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration(false));
  }

  @Test
  void aClusterThatIsNotSecureChangesNothing() {
    ClusterSecurity.logIn(cluster);
    assertThat(UserGroupInformation.isSecurityEnabled()).isFalse();
  }

  @Test
  void withoutATicketTheUserIsToldToGetOne() {
    cluster.set("hadoop.security.authentication", "kerberos");
    UserGroupInformation.reset();
    UserGroupInformation user = UserGroupInformation.createRemoteUser("ann");
    assertThatThrownBy(
            () ->
                user.doAs(
                    (java.security.PrivilegedAction<Void>)
                        () -> {
                          ClusterSecurity.logIn(cluster);
                          return null;
                        }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("wants KERBEROS (hadoop.security.authentication)")
        .hasMessageContaining("user ann has no ticket and no token; run kinit");
    assertThat(UserGroupInformation.isSecurityEnabled()).isTrue();
  }

  @Test
  void aTokenIsEnough() throws IOException {
    cluster.set("hadoop.security.authentication", "kerberos");
    UserGroupInformation.reset();
    UserGroupInformation user = UserGroupInformation.createRemoteUser("ann");
    byte[] bytes = "bytes".getBytes(StandardCharsets.UTF_8);
    user.addToken(new Token<>(bytes, bytes, new Text("HDFS_DELEGATION_TOKEN"), new Text("names")));
    user.doAs(
        (java.security.PrivilegedAction<Void>)
            () -> {
              ClusterSecurity.logIn(cluster);
              return null;
            });
    assertThat(UserGroupInformation.isSecurityEnabled()).isTrue();
  }

  @Test
  void tokensAreForTheDefaultFileSystemAndThoseThatAreNamed() {
    cluster.set("fs.defaultFS", "hdfs://names:9000");
    cluster.set(ClusterSecurity.FILE_SYSTEMS, "hdfs://others:9000, hdfs://names:9000");
    assertThat(ClusterSecurity.fileSystems(cluster))
        .containsExactly(URI.create("hdfs://names:9000"), URI.create("hdfs://others:9000"));
  }
}
