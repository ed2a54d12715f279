/** Pushes by TCP, on Netty's event loops. */
package dev.anemone.runtime.push.netty;
